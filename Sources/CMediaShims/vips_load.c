#include <string.h>

#include "mediatool_vips.h"
#include "vips_error.h"
#include "webp_complete.h"

mediatool_vips_status mediatool_vips_source(
  mediatool_input *input, int64_t offset, size_t length, VipsSource **source, mediatool_vips_error *error) {
  error->text[0] = 0;
  unsigned char *bytes = g_try_malloc(length ? length : 1);
  if (!bytes) return MEDIATOOL_VIPS_NO_MEMORY;
  int64_t read = mediatool_input_read(input, offset, bytes, length);
  if (read < 0) {
    g_free(bytes);
    return MEDIATOOL_VIPS_INPUT;
  }
  VipsBlob *blob = vips_blob_new((VipsCallbackFn)vips_area_free_cb, bytes, (size_t)read);
  *source = vips_source_new_from_blob(blob);
  vips_area_unref((VipsArea *)blob);
  if (*source) return MEDIATOOL_VIPS_OK;
  mediatool_vips_take_error(error);
  return MEDIATOOL_VIPS_FAILED;
}

// Real files have about ten. libjpeg processes all scans before the first row, without checking the deadline: 3,000
// empty scans of 16,000 x 16,000 pixels are 1.5 MB and take minutes.
enum { max_scans = 100 };

// Whether the JPEG has more scans than this. If the first scan contains everything, as in nearly every file, nothing
// more is read.
static bool has_too_many_scans(VipsSource *source) {
  size_t length = 0, at = 2;
  const unsigned char *bytes = vips_source_map(source, &length);
  int scans = 0, components = 0;
  bool progressive = false;
  while (bytes && at + 4 <= length) {
    const unsigned char *marker = memchr(bytes + at, 0xFF, length - at);
    if (!marker || (at = (size_t)(marker - bytes)) + 4 > length) break;
    unsigned char code = marker[1];
    size_t size = (size_t)marker[2] << 8 | marker[3];
    at += 2;
    if (code == 0xFF) at--;
    // Stuffed bytes, restarts and other markers without a length.
    if (code <= 0x01 || code == 0xFF || (code >= 0xD0 && code <= 0xD8)) continue;
    if (code == 0xD9) break;
    if (code == 0xC2 || code == 0xCA) progressive = true;
    if (code >= 0xC0 && code <= 0xCF && code != 0xC4 && code != 0xC8 && code != 0xCC && at + 8 <= length)
      components = bytes[at + 7];
    if (code == 0xDA) {
      bool has_all_components = !progressive && at + 3 <= length && bytes[at + 2] == components;
      if (has_all_components && scans == 0) break;
      if (++scans > max_scans) return true;
    }
    at += size;
  }
  return false;
}

static void need_module_of(mediatool_loader loader) {
  if (loader == MEDIATOOL_LOADER_HEIF) mediatool_vips_need(MEDIATOOL_MODULE_HEIF);
  if (loader == MEDIATOOL_LOADER_JXL) mediatool_vips_need(MEDIATOOL_MODULE_JXL);
  if (loader == MEDIATOOL_LOADER_SVG) mediatool_need_drawing();
}

bool mediatool_vips_has_loader(mediatool_loader loader) {
  static const char *const nicknames[] = {
    [MEDIATOOL_LOADER_JPEG] = "jpegload",
    [MEDIATOOL_LOADER_PNG] = "pngload",
    [MEDIATOOL_LOADER_GIF] = "gifload",
    [MEDIATOOL_LOADER_WEBP] = "webpload",
    [MEDIATOOL_LOADER_HEIF] = "heifload",
    [MEDIATOOL_LOADER_TIFF] = "tiffload",
    [MEDIATOOL_LOADER_JXL] = "jxlload",
    [MEDIATOOL_LOADER_JP2K] = "jp2kload",
    [MEDIATOOL_LOADER_SVG] = "svgload",
  };
  need_module_of(loader);
  return vips_type_find("VipsForeignLoad", nicknames[loader]) != 0;
}

// In lenient mode, returns the complete frames of a truncated animation.
static int load_webp(VipsSource *source, mediatool_load_options options, VipsFailOn fail_on, VipsImage **out) {
  int frames = 0;
  VipsSource *complete = options.strict ? NULL : mediatool_webp_complete_frames(source, &frames);
  if (complete && options.pages > frames) options.pages = frames;
  if (complete && options.page >= frames) options.page = 0;
  int result = vips_webpload_source(
    complete ? complete : source, out, "page", options.page, "n", options.pages, "scale", options.scale, "access", VIPS_ACCESS_SEQUENTIAL, "fail_on",
    fail_on, NULL);
  VIPS_UNREF(complete);
  return result;
}

int mediatool_vips_load(
  VipsSource *source, mediatool_load_options options, VipsImage **out, mediatool_vips_error *error) {
  VipsFailOn fail_on = options.strict ? VIPS_FAIL_ON_TRUNCATED : VIPS_FAIL_ON_NONE;
  VipsAccess access = VIPS_ACCESS_SEQUENTIAL;
  int result = -1;
  *out = NULL;
  need_module_of(options.loader);
  switch (options.loader) {
  case MEDIATOOL_LOADER_JPEG:
    if (has_too_many_scans(source)) {
      g_strlcpy(error->text, "jpeg: too many scans", sizeof error->text);
      return -1;
    }
    result = vips_jpegload_source(
      source, out, "shrink", options.shrink, "access", access, "fail_on", fail_on, NULL);
    break;
  case MEDIATOOL_LOADER_PNG:
    result = vips_pngload_source(source, out, "access", access, "fail_on", fail_on, NULL);
    break;
  case MEDIATOOL_LOADER_GIF:
    result = vips_gifload_source(
      source, out, "page", options.page, "n", options.pages, "access", access, "fail_on", fail_on, NULL);
    // The facts count a truncated frame and libnsgif does not, so all existing frames are loaded.
    if (result && !options.strict && options.pages > 1)
      result = vips_gifload_source(source, out, "n", -1, "access", access, "fail_on", fail_on, NULL);
    break;
  case MEDIATOOL_LOADER_WEBP:
    result = load_webp(source, options, fail_on, out);
    break;
  case MEDIATOOL_LOADER_HEIF:
    result = vips_heifload_source(
      source, out, "thumbnail", options.thumbnail, "access", access, "fail_on", fail_on, NULL);
    break;
  case MEDIATOOL_LOADER_TIFF:
    result = vips_tiffload_source(
      source, out, "page", options.page, "subifd", options.subpage, "access", access, "fail_on", fail_on, NULL);
    break;
  case MEDIATOOL_LOADER_JXL:
    result = vips_jxlload_source(source, out, "access", access, "fail_on", fail_on, NULL);
    break;
  case MEDIATOOL_LOADER_JP2K:
    result = vips_jp2kload_source(source, out, "access", access, "fail_on", fail_on, NULL);
    break;
  case MEDIATOOL_LOADER_SVG:
    // No base address is given, so librsvg follows no reference to another file.
    result = vips_svgload_source(source, out, "scale", options.scale, "access", access, NULL);
    break;
  }
  // A reduction can result in zero rows (8.14.1), and libvips aborts when such an image is used.
  if (!result && (!*out || (*out)->Xsize < 1 || (*out)->Ysize < 1)) {
    VIPS_UNREF(*out);
    g_strlcpy(error->text, "the scaled image would have a width or height of 0", sizeof error->text);
    return -1;
  }
  return mediatool_vips_check(result, error);
}

static void free_pixels(VipsImage *image, void *pixels) {
  (void)image;
  g_free(pixels);
}

int mediatool_vips_from_rgba(
  void *pixels, int width, int height, int page_height, const int *delays, VipsImage **out,
  mediatool_vips_error *error) {
  *out = NULL;
  VipsImage *image = vips_image_new_from_memory(
    pixels, (size_t)width * (size_t)height * 4, width, height, 4, VIPS_FORMAT_UCHAR);
  // A side that is too long for libvips silently becomes 1.
  if (image && (image->Xsize != width || image->Ysize != height)) VIPS_UNREF(image);
  if (!image) {
    mediatool_vips_take_error(error);
    g_free(pixels);
    return -1;
  }
  g_signal_connect(image, "postclose", G_CALLBACK(free_pixels), pixels);
  image->Type = VIPS_INTERPRETATION_sRGB;
  if (page_height > 0 && page_height < height) {
    vips_image_set_int(image, VIPS_META_PAGE_HEIGHT, page_height);
    vips_image_set_int(image, VIPS_META_N_PAGES, height / page_height);
    if (delays) vips_image_set_array_int(image, "delay", delays, height / page_height);
  }
  *out = image;
  return 0;
}

void mediatool_vips_set_orientation(VipsImage *image, int orientation) {
  vips_image_set_int(image, VIPS_META_ORIENTATION, orientation);
}

void mediatool_vips_drop_profile(VipsImage *image) { vips_image_remove(image, VIPS_META_ICC_NAME); }
