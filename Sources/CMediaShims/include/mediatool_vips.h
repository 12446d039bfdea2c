// libvips without variadic calls, format detection and the global error text.
//
// Every function returns 0 on success, or -1 with the reason in a mediatool_vips_error; two that fail for other
// reasons as well return a mediatool_vips_status. libvips keeps one error buffer for the whole process, so the text
// is read and cleared at once. If two threads fail together, it may be the other thread's: a hint for people, never a
// base for decisions.
#ifndef MEDIATOOL_VIPS_H
#define MEDIATOOL_VIPS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <vips/vips.h>

#include "mediatool_input.h"
#include "mediatool_tone_map.h"

#pragma clang assume_nonnull begin

typedef struct {
  char text[256];
} mediatool_vips_error;

// Starts libvips once: untrusted loaders blocked except for some, no operation cache, one thread per pipeline
// (callers run several in parallel), no printed warnings. Safe to call from many threads, and the only place that may
// call vips_init, which is not.
int mediatool_vips_start(mediatool_vips_error *error);

// Whether the calls of libvips that generate code at run time use our lock in this process. For tests.
int mediatool_vips_vectors_locked(void);

typedef enum : int32_t {
  MEDIATOOL_VIPS_OK = 0,
  MEDIATOOL_VIPS_FAILED = -1,     // the reason is in the mediatool_vips_error
  MEDIATOOL_VIPS_INPUT = -2,      // the input failed or its deadline passed: the input knows which
  MEDIATOOL_VIPS_NO_MEMORY = -3,  // memory is short, or an allocation exceeds the limit of libav (see mediatool_av_start)
} mediatool_vips_status;

// A source over a range of the file, read into memory: libjpeg is fastest with one block, and a mapped file that
// shrinks would kill the process.
mediatool_vips_status mediatool_vips_source(
  mediatool_input *input, int64_t offset, size_t length, VipsSource *_Nullable *_Nonnull source,
  mediatool_vips_error *error);

// The allowed loaders of libvips. The attributes make this a Swift enum with the same name, so that Swift needs no
// copy.
typedef enum __attribute__((enum_extensibility(closed))) {
  MEDIATOOL_LOADER_JPEG __attribute__((swift_name("jpeg"))),
  MEDIATOOL_LOADER_PNG __attribute__((swift_name("png"))),
  MEDIATOOL_LOADER_GIF __attribute__((swift_name("gif"))),
  MEDIATOOL_LOADER_WEBP __attribute__((swift_name("webp"))),
  MEDIATOOL_LOADER_HEIF __attribute__((swift_name("heif"))),
  MEDIATOOL_LOADER_TIFF __attribute__((swift_name("tiff"))),
  MEDIATOOL_LOADER_JXL __attribute__((swift_name("jxl"))),
  MEDIATOOL_LOADER_JP2K __attribute__((swift_name("jp2k"))),
  MEDIATOOL_LOADER_SVG __attribute__((swift_name("svg"))),
} mediatool_loader __attribute__((swift_name("VipsLoader")));

// Whether libvips was built with it. After mediatool_vips_start.
bool mediatool_vips_has_loader(mediatool_loader loader);

typedef struct {
  mediatool_loader loader;
  int shrink;      // JPEG: 1, 2, 4 or 8
  double scale;    // WebP, SVG: 1 for full size
  int page;        // GIF, WebP, TIFF: the first one
  int pages;       // GIF, WebP: pages from there on, -1 for all
  int subpage;     // TIFF: the image below the page (SubIFDs), -1 for the page itself
  bool thumbnail;  // HEIF: the embedded thumbnail in place of the image
  bool strict;     // fail for a truncated file instead of filling it with grey
} mediatool_load_options;

// Opens the image with the named loader; pixels come later, top to bottom, once.
int mediatool_vips_load(
  VipsSource *source, mediatool_load_options options, VipsImage *_Nullable *_Nonnull out, mediatool_vips_error *error);

// Makes an image of 8-bit RGBA pixels. Takes ownership of them, even on failure, and frees them with g_free. With a
// page_height below the height it is an animation with these delays (ms).
int mediatool_vips_from_rgba(
  void *pixels, int width, int height, int page_height, const int *_Nullable delays,
  VipsImage *_Nullable *_Nonnull out, mediatool_vips_error *error);

// Modules of libvips that are opened when they are first needed.
typedef enum : int {
  MEDIATOOL_MODULE_HEIF,
  MEDIATOOL_MODULE_JXL,
  MEDIATOOL_MODULE_POPPLER,
} mediatool_vips_module;

// vips_init without any module. Only for mediatool_vips_start.
int mediatool_vips_init_without_modules(void);

// Opens a module once; it is missing if its Debian package is. Call it after mediatool_vips_start.
void mediatool_vips_need(mediatool_vips_module module);

// Reads the font configuration, and opens the modules for images in SVG, as rendering the first one would.
void mediatool_prepare_drawing(void);

// Called before an SVG or a PDF is rendered: a process that can open nothing any more must have prepared for it.
void mediatool_need_drawing(void);

typedef struct mediatool_vips_deadline mediatool_vips_deadline;

// A deadline in this many nanoseconds. Must outlive every image that it limits.
mediatool_vips_deadline *mediatool_vips_deadline_new(int64_t nanoseconds_left);
void mediatool_vips_deadline_free(mediatool_vips_deadline *deadline);
// Whether it has stopped anything.
bool mediatool_vips_deadline_has_stopped(mediatool_vips_deadline *deadline);

// The same image, whose pixels are available only until the deadline.
int mediatool_vips_guard(
  VipsImage *in, mediatool_vips_deadline *deadline, VipsImage *_Nullable *_Nonnull out, mediatool_vips_error *error);

void mediatool_vips_set_orientation(VipsImage *image, int orientation);

// Treats the pixels as sRGB regardless of the profile; for sRGB profiles, which libvips would convert to Lab and
// back.
void mediatool_vips_drop_profile(VipsImage *image);

// Maps an HDR image to 8-bit sRGB for a standard display. The pixels are signals with the given transfer, 8 or 16 bits; a color profile
// is dropped. options.white is measured in the image.
int mediatool_vips_tone_map(
  VipsImage *in, mediatool_tone_map_options options, VipsImage *_Nullable *_Nonnull out, mediatool_vips_error *error);

// Divides premultiplied colors by alpha, and keeps the sample format.
int mediatool_vips_unpremultiply(VipsImage *in, VipsImage *_Nullable *_Nonnull out, mediatool_vips_error *error);

// Averages k × k pixels into one, weighted by alpha.
int mediatool_vips_shrink(
  VipsImage *in, int factor, VipsImage *_Nullable *_Nonnull out, mediatool_vips_error *error);

// Computes all pixels into memory, so that they can be used more than once.
int mediatool_vips_copy_to_memory(VipsImage *in, VipsImage *_Nullable *_Nonnull out, mediatool_vips_error *error);

// The same pixels as an image without metadata, which refers to an image in memory; the profile is kept on request.
// NULL on failure.
VipsImage *_Nullable mediatool_vips_strip_metadata(VipsImage *in, bool keep_profile);

// A rectangle of the image; of every frame of an animation.
int mediatool_vips_extract(
  VipsImage *in, int left, int top, int width, int height, VipsImage *_Nullable *_Nonnull out,
  mediatool_vips_error *error);

typedef struct {
  int width;
  int height;
  bool force;            // exactly this size, even if the aspect ratio changes
  VipsInteresting crop;  // VIPS_INTERESTING_NONE: contain
  bool upscale;
  bool wide_gamut;  // converts a source with a profile to Display P3 instead of sRGB
} mediatool_resize_options;

// Makes the image upright, resizes it, and converts it to the requested color space with 8 bits per channel. An
// animation keeps its frames, and is cropped in the centre.
int mediatool_vips_resize(
  VipsImage *in, mediatool_resize_options options, VipsImage *_Nullable *_Nonnull out, mediatool_vips_error *error);

int mediatool_vips_flatten(
  VipsImage *in, int red, int green, int blue, VipsImage *_Nullable *_Nonnull out, mediatool_vips_error *error);

typedef enum {
  MEDIATOOL_SAVE_WEBP,
  MEDIATOOL_SAVE_JPEG,
  MEDIATOOL_SAVE_PNG,
  MEDIATOOL_SAVE_AVIF,
} mediatool_format;

typedef struct {
  mediatool_format format;
  int quality;
  int effort;  // WebP's: 0 (fast) to 6
  bool keep_profile;
  VipsForeignSubsample subsample;  // JPEG's
} mediatool_save_options;

// Encodes without any of the source's metadata. The bytes are freed with g_free.
int mediatool_vips_save(
  VipsImage *in, mediatool_save_options options, void *_Nullable *_Nonnull bytes, size_t *length,
  mediatool_vips_error *error);

// Straight 8-bit RGBA pixels of the first frame, freed with g_free. convert: from the image's profile to sRGB;
// otherwise the pixels stay unchanged.
int mediatool_vips_rgba(
  VipsImage *in, bool convert, void *_Nullable *_Nonnull pixels, size_t *length, mediatool_vips_error *error);

int mediatool_vips_page_height(VipsImage *image);
bool mediatool_vips_has_alpha(VipsImage *image);
bool mediatool_vips_has_profile(VipsImage *image);

#pragma clang assume_nonnull end
#endif
