#include "mediatool_vips.h"
#include "vips_error.h"

int mediatool_vips_save(
  VipsImage *in, mediatool_save_options options, void **bytes, size_t *length, mediatool_vips_error *error) {
  *bytes = NULL;
  *length = 0;
  // "strip" alone leaves an ICC profile in WebP, and drops a requested one in other formats (8.14.1).
  VipsImage *image = mediatool_vips_strip_metadata(in, options.keep_profile);
  if (!image) return mediatool_vips_check(-1, error);
  int result = -1;
  gboolean strip = !options.keep_profile;
  switch (options.format) {
  case MEDIATOOL_SAVE_WEBP:
    result = vips_webpsave_buffer(
      image, bytes, length, "Q", options.quality, "effort", options.effort, "strip", strip, NULL);
    break;
  case MEDIATOOL_SAVE_JPEG:
    result = vips_jpegsave_buffer(
      image, bytes, length, "Q", options.quality, "optimize_coding", TRUE, "subsample_mode", options.subsample,
      "strip", strip, NULL);
    break;
  case MEDIATOOL_SAVE_PNG:
    result = vips_pngsave_buffer(image, bytes, length, "strip", strip, NULL);
    break;
  case MEDIATOOL_SAVE_AVIF:
    mediatool_vips_need(MEDIATOOL_MODULE_HEIF);
    result = vips_heifsave_buffer(
      image, bytes, length, "Q", options.quality, "compression", VIPS_FOREIGN_HEIF_COMPRESSION_AV1, "bitdepth", 8,
      "strip", strip, NULL);
    break;
  }
  g_object_unref(image);
  return mediatool_vips_check(result, error);
}
