#include <string.h>

#include "mediatool_vips.h"
#include "vips_error.h"

// Fields that describe the pixels and not the source: all that may outlive a rendition.
static bool is_kept(const char *name, bool keep_profile) {
  return strcmp(name, VIPS_META_PAGE_HEIGHT) == 0 || strcmp(name, VIPS_META_N_PAGES) == 0 ||
         strcmp(name, "delay") == 0 || strcmp(name, "loop") == 0 ||
         (keep_profile && strcmp(name, VIPS_META_ICC_NAME) == 0);
}

static void *collect_field(VipsImage *image, const char *name, GValue *value, void *list) {
  (void)image, (void)value;
  g_ptr_array_add(list, g_strdup(name));
  return NULL;
}

// A copy without metadata: "strip" alone leaves an ICC profile in WebP, and drops one that was asked for elsewhere (8.14.1).
static VipsImage *bare_copy(VipsImage *in, bool keep_profile) {
  VipsImage *copy = NULL;
  // One pixel a millimetre: libvips' own "unknown", so that the source's resolution is not carried over.
  if (vips_copy(in, &copy, "xres", 1.0, "yres", 1.0, NULL)) return NULL;
  GPtrArray *names = g_ptr_array_new_with_free_func(g_free);
  vips_image_map(copy, (VipsImageMapFn)collect_field, names);
  for (guint i = 0; i < names->len; i++)
    if (!is_kept(names->pdata[i], keep_profile)) vips_image_remove(copy, names->pdata[i]);
  g_ptr_array_unref(names);
  return copy;
}

int mediatool_vips_save(
  VipsImage *in, mediatool_save_options options, void **bytes, size_t *length, mediatool_vips_error *error) {
  *bytes = NULL;
  *length = 0;
  VipsImage *bare = bare_copy(in, options.keep_profile);
  if (!bare) return mediatool_vips_check(-1, error);
  int result = -1;
  gboolean strip = !options.keep_profile;
  switch (options.format) {
  case MEDIATOOL_SAVE_WEBP:
    result = vips_webpsave_buffer(bare, bytes, length, "Q", options.quality, "strip", strip, NULL);
    break;
  case MEDIATOOL_SAVE_JPEG:
    result = vips_jpegsave_buffer(
      bare, bytes, length, "Q", options.quality, "optimize_coding", TRUE, "strip", strip, NULL);
    break;
  case MEDIATOOL_SAVE_PNG:
    result = vips_pngsave_buffer(bare, bytes, length, "strip", strip, NULL);
    break;
  case MEDIATOOL_SAVE_AVIF:
    result = vips_heifsave_buffer(
      bare, bytes, length, "Q", options.quality, "compression", VIPS_FOREIGN_HEIF_COMPRESSION_AV1, "bitdepth", 8,
      "strip", strip, NULL);
    break;
  }
  g_object_unref(bare);
  return mediatool_vips_check(result, error);
}
