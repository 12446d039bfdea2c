#include <string.h>

#include "mediatool_vips.h"
#include "vips_error.h"

int mediatool_vips_unpremultiply(VipsImage *in, VipsImage **out, mediatool_vips_error *error) {
  *out = NULL;
  VipsImage *divided = NULL, *rounded = NULL;
  int result = vips_unpremultiply(in, &divided, NULL) || vips_rint(divided, &rounded, NULL) ||
               vips_cast(rounded, out, in->BandFmt, NULL);
  VIPS_UNREF(divided);
  VIPS_UNREF(rounded);
  return mediatool_vips_check(result, error);
}

int mediatool_vips_shrink(VipsImage *in, int factor, VipsImage **out, mediatool_vips_error *error) {
  *out = NULL;
  // If the factor does not divide a side, its last pixels are kept ("ceil"), as in vips_resize.
  if (!vips_image_hasalpha(in))
    return mediatool_vips_check(vips_shrink(in, out, factor, factor, "ceil", TRUE, NULL), error);
  VipsImage *t[3] = {NULL};
  int result = vips_premultiply(in, &t[0], NULL) || vips_shrink(t[0], &t[1], factor, factor, "ceil", TRUE, NULL) ||
               vips_unpremultiply(t[1], &t[2], NULL) || vips_cast(t[2], out, in->BandFmt, NULL);
  for (int i = 0; i < 3; i++) VIPS_UNREF(t[i]);
  return mediatool_vips_check(result, error);
}

// Crops every frame of a tall image to the same rectangle, and stacks them again.
static int cut_frames(
  VipsImage *in, int page_height, int left, int top, int width, int height, VipsImage **out) {
  int frames = in->Ysize / page_height;
  VipsImage **cut = g_new0(VipsImage *, frames);
  int result = 0;
  for (int i = 0; i < frames && !result; i++)
    result = vips_extract_area(in, &cut[i], left, i * page_height + top, width, height, NULL);
  VipsImage *joined = NULL;
  if (!result) result = vips_arrayjoin(cut, &joined, frames, "across", 1, NULL);
  if (!result) result = vips_copy(joined, out, NULL);
  if (!result) vips_image_set_int(*out, VIPS_META_PAGE_HEIGHT, height);
  VIPS_UNREF(joined);
  for (int i = 0; i < frames; i++) VIPS_UNREF(cut[i]);
  g_free(cut);
  return result;
}

int mediatool_vips_extract(
  VipsImage *in, int left, int top, int width, int height, VipsImage **out, mediatool_vips_error *error) {
  *out = NULL;
  int page_height = vips_image_get_page_height(in);
  if (page_height < in->Ysize)
    return mediatool_vips_check(cut_frames(in, page_height, left, top, width, height, out), error);
  return mediatool_vips_check(vips_extract_area(in, out, left, top, width, height, NULL), error);
}

static bool has_profile(VipsImage *in) { return vips_image_get_typeof(in, VIPS_META_ICC_NAME) != 0; }

// The profile that pixels are converted to; null if they are sRGB already, because libvips would convert them to Lab
// and back.
static const char *export_profile(VipsImage *in, bool wide_gamut) {
  if (!has_profile(in) && in->Type != VIPS_INTERPRETATION_CMYK) return NULL;
  return wide_gamut ? "p3" : "srgb";
}

// CMYK with a profile: vips_thumbnail 8.14.1 would use its own profile, so the image is converted first.
static int from_inks(VipsImage *in, bool wide_gamut, VipsImage **out) {
  if (in->Type != VIPS_INTERPRETATION_CMYK || !has_profile(in)) return vips_copy(in, out, NULL);
  return vips_icc_transform(in, out, wide_gamut ? "p3" : "srgb", "embedded", TRUE, NULL);
}

// Rotates every frame of a tall image by its orientation, and stacks them again.
static int turn_frames(VipsImage *in, VipsImage **out) {
  if (vips_image_get_orientation(in) == 1) return vips_copy(in, out, NULL);
  int page_height = vips_image_get_page_height(in), frames = in->Ysize / page_height;
  // Rotation needs columns, which a sequential decoder cannot deliver.
  VipsImage *pixels = vips_image_copy_memory(in);
  VipsImage **turned = g_new0(VipsImage *, frames);
  int result = pixels ? 0 : -1;
  for (int i = 0; i < frames && !result; i++) {
    VipsImage *frame = NULL;
    result = vips_extract_area(pixels, &frame, 0, i * page_height, in->Xsize, page_height, NULL);
    if (!result) vips_image_remove(frame, VIPS_META_PAGE_HEIGHT);
    if (!result) result = vips_autorot(frame, &turned[i], NULL);
    VIPS_UNREF(frame);
  }
  VipsImage *joined = NULL;
  if (!result) result = vips_arrayjoin(turned, &joined, frames, "across", 1, NULL);
  if (!result) result = vips_copy(joined, out, NULL);
  if (!result) vips_image_set_int(*out, VIPS_META_PAGE_HEIGHT, turned[0]->Ysize);
  VIPS_UNREF(joined);
  for (int i = 0; i < frames; i++) VIPS_UNREF(turned[i]);
  g_free(turned);
  VIPS_UNREF(pixels);
  return result;
}

// The frames are resized as stored, into a box that is rotated likewise, and rotated when they are small.
static int resize_animation(VipsImage *in, mediatool_resize_options options, int page_height, VipsImage **out) {
  if (vips_image_get_orientation(in) >= 5) {
    int width = options.width;
    options.width = options.height;
    options.height = width;
  }
  double across = options.width / (double)in->Xsize, down = options.height / (double)page_height;
  bool cover = options.crop != VIPS_INTERESTING_NONE;
  double scale = cover ? VIPS_MAX(across, down) : VIPS_MIN(across, down);
  if (!options.upscale) scale = VIPS_MIN(scale, 1);
  int width = VIPS_MAX(1, VIPS_RINT(in->Xsize * scale)), height = VIPS_MAX(1, VIPS_RINT(page_height * scale));
  VipsImage *resized = NULL, *cut = NULL;
  // The whole strip is resized at once; FORCE makes each frame a whole number of rows.
  int result = vips_thumbnail_image(
    in, &resized, width, "height", height, "size", VIPS_SIZE_FORCE, "no_rotate", TRUE, "export_profile",
    export_profile(in, false), NULL);
  int frame_height = result ? 0 : vips_image_get_page_height(resized);
  if (!result && cover && (width > options.width || height > options.height)) {
    int cut_width = VIPS_MIN(width, options.width), cut_height = VIPS_MIN(height, options.height);
    result = cut_frames(
      resized, frame_height, (resized->Xsize - cut_width) / 2, (frame_height - cut_height) / 2, cut_width, cut_height,
      &cut);
  } else if (!result)
    result = vips_copy(resized, &cut, NULL);
  if (!result) result = turn_frames(cut, out);
  VIPS_UNREF(cut);
  VIPS_UNREF(resized);
  return result;
}

// Whether the pixels need no change: small enough, upright, sRGB. Most embedded thumbnails do not.
static bool is_ready(VipsImage *in, mediatool_resize_options options) {
  return options.crop == VIPS_INTERESTING_NONE && !options.upscale && !options.force && in->Xsize <= options.width &&
         in->Ysize <= options.height && vips_image_get_page_height(in) == in->Ysize && in->Type == VIPS_INTERPRETATION_sRGB &&
         in->BandFmt == VIPS_FORMAT_UCHAR && in->Bands >= 3 && !has_profile(in) && vips_image_get_orientation(in) == 1;
}

int mediatool_vips_resize(
  VipsImage *in, mediatool_resize_options options, VipsImage **out, mediatool_vips_error *error) {
  *out = NULL;
  if (is_ready(in, options)) return mediatool_vips_check(vips_copy(in, out, NULL), error);
  int page_height = vips_image_get_page_height(in);
  VipsImage *t[3] = {NULL};
  int result = from_inks(in, options.wide_gamut, &t[2]);
  if (!result && page_height < in->Ysize)
    result = resize_animation(t[2], options, page_height, &t[0]);
  else if (!result)
    result = vips_thumbnail_image(
      t[2], &t[0], options.width, "height", options.height, "size",
      options.force ? VIPS_SIZE_FORCE : options.upscale ? VIPS_SIZE_BOTH : VIPS_SIZE_DOWN, "crop", options.crop, "export_profile",
      t[2]->Type == in->Type ? export_profile(in, options.wide_gamut) : NULL, NULL);
  // Grey stays grey; everything else is converted to 8-bit sRGB.
  VipsInterpretation target =
    !result && vips_image_guess_interpretation(t[0]) == VIPS_INTERPRETATION_B_W ? VIPS_INTERPRETATION_B_W
                                                                                 : VIPS_INTERPRETATION_sRGB;
  if (!result && (t[0]->BandFmt != VIPS_FORMAT_UCHAR || t[0]->Type != target))
    result = vips_colourspace(t[0], &t[1], target, NULL);
  else if (!result)
    result = vips_copy(t[0], &t[1], NULL);
  if (!result) result = vips_cast_uchar(t[1], out, NULL);
  for (int i = 0; i < 3; i++) VIPS_UNREF(t[i]);
  return mediatool_vips_check(result, error);
}

int mediatool_vips_flatten(VipsImage *in, int red, int green, int blue, VipsImage **out, mediatool_vips_error *error) {
  *out = NULL;
  double color[3] = {red, green, blue};
  // A grey image needs one value: the luminance.
  double grey[1] = {0.2126 * red + 0.7152 * green + 0.0722 * blue};
  int colors = in->Bands >= 3 ? 3 : 1;
  VipsArrayDouble *background = vips_array_double_new(colors == 3 ? color : grey, colors);
  int result = vips_flatten(in, out, "background", background, NULL);
  vips_area_unref((VipsArea *)background);
  return mediatool_vips_check(result, error);
}

// Expands 1 to 4 bytes per pixel to four, for the rows of one frame in memory.
static unsigned char *expanded(VipsImage *in, size_t count) {
  const unsigned char *from = VIPS_IMAGE_ADDR(in, 0, 0);
  unsigned char *rgba = g_try_malloc(count * 4), *to = rgba;
  int bands = in->Bands;
  for (size_t i = 0; to && i < count; i++, from += bands, to += 4) {
    to[0] = from[0];
    to[1] = from[bands >= 3 ? 1 : 0];
    to[2] = from[bands >= 3 ? 2 : 0];
    to[3] = bands % 2 == 0 ? from[bands - 1] : 255;
  }
  return rgba;
}

int mediatool_vips_rgba(
  VipsImage *in, bool convert, void **pixels, size_t *length, mediatool_vips_error *error) {
  *pixels = NULL;
  bool is_plain = in->BandFmt == VIPS_FORMAT_UCHAR && in->Bands <= 4 && !(convert && has_profile(in)) &&
                  (in->Type == VIPS_INTERPRETATION_sRGB || (in->Type == VIPS_INTERPRETATION_B_W && in->Bands <= 2));
  if (is_plain && !vips_image_wio_input(in)) {
    size_t count = (size_t)in->Xsize * (size_t)vips_image_get_page_height(in);
    *length = count * 4;
    *pixels = expanded(in, count);
    if (*pixels) return 0;
  }
  VipsImage *t[4] = {NULL};
  int page_height = vips_image_get_page_height(in);
  int result = vips_extract_area(in, &t[0], 0, 0, in->Xsize, page_height, NULL);
  if (!result && convert && has_profile(in)) result = vips_icc_transform(t[0], &t[3], "srgb", "embedded", TRUE, NULL);
  else if (!result) result = vips_copy(t[0], &t[3], NULL);
  if (!result) result = vips_colourspace(t[3], &t[1], VIPS_INTERPRETATION_sRGB, NULL);
  if (!result && vips_image_hasalpha(t[1])) result = vips_copy(t[1], &t[2], NULL);
  else if (!result) result = vips_addalpha(t[1], &t[2], NULL);
  if (!result) *pixels = vips_image_write_to_memory(t[2], length);
  result = result || !*pixels;
  for (int i = 0; i < 4; i++) VIPS_UNREF(t[i]);
  return mediatool_vips_check(result, error);
}

int mediatool_vips_page_height(VipsImage *image) { return vips_image_get_page_height(image); }

bool mediatool_vips_has_alpha(VipsImage *image) { return vips_image_hasalpha(image); }

bool mediatool_vips_has_profile(VipsImage *image) { return has_profile(image); }
