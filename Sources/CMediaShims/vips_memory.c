#include <string.h>

#include "mediatool_vips.h"
#include "vips_error.h"

// Metadata that is needed to interpret the pixels; all other metadata is dropped.
static void copy_fields(VipsImage *from, VipsImage *to) {
  const char *names[] = {
    VIPS_META_PAGE_HEIGHT, VIPS_META_N_PAGES, "delay", "loop", VIPS_META_ORIENTATION};
  for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
    GValue value = {0};
    if (!vips_image_get_typeof(from, names[i]) || vips_image_get(from, names[i], &value)) continue;
    vips_image_set(to, names[i], &value);
    g_value_unset(&value);
  }
  // A real copy: the profile of a HEIF image is memory of the loader's image, and is freed with it.
  const void *profile;
  size_t length;
  if (vips_image_get_typeof(from, VIPS_META_ICC_NAME) &&
      !vips_image_get_blob(from, VIPS_META_ICC_NAME, &profile, &length))
    vips_image_set_blob_copy(to, VIPS_META_ICC_NAME, profile, length);
  to->Type = from->Type;
}

// Rows computed at a time: the number that libvips uses for sequential images.
enum { strip_rows = 128 };

// Computes all pixels on the calling thread. libvips would pass each strip to a thread of its own and wait, which
// takes longer than the pixels of a thumbnail.
static int make_pixels(VipsImage *in, VipsRegion *region, unsigned char *pixels) {
  size_t row = VIPS_IMAGE_SIZEOF_LINE(in);
  for (int top = 0; top < in->Ysize; top += strip_rows) {
    VipsRect strip = {0, top, in->Xsize, VIPS_MIN(strip_rows, in->Ysize - top)};
    if (vips_region_prepare(region, &strip)) return -1;
    for (int y = 0; y < strip.height; y++)
      memcpy(pixels + (size_t)(top + y) * row, VIPS_REGION_ADDR(region, 0, top + y), row);
  }
  return 0;
}

static void free_pixels(VipsImage *image, void *pixels) {
  (void)image;
  g_free(pixels);
}

static VipsImage *in_memory(VipsImage *in) {
  // CIELAB packed into 32 bits, as in some TIFFs: libvips keeps this coding only in its own copies.
  bool is_packed = in->Coding != VIPS_CODING_NONE;
  // vips_arrayjoin (8.14.1), which stacks cropped frames, returns pixels that it has just freed. On a thread of
  // libvips they are still in the thread's buffer cache; on any other thread they are not.
  bool is_animation = vips_image_get_page_height(in) < in->Ysize;
  if (is_packed || is_animation) return vips_image_copy_memory(in);
  if (vips_image_pio_input(in)) return NULL;
  size_t size = VIPS_IMAGE_SIZEOF_IMAGE(in);
  unsigned char *pixels = g_try_malloc(size);
  VipsRegion *region = pixels ? vips_region_new(in) : NULL;
  VipsImage *memory = NULL;
  if (region && !make_pixels(in, region, pixels))
    memory = vips_image_new_from_memory(pixels, size, in->Xsize, in->Ysize, in->Bands, in->BandFmt);
  VIPS_UNREF(region);
  if (!memory) {
    g_free(pixels);
    return NULL;
  }
  g_signal_connect(memory, "postclose", G_CALLBACK(free_pixels), pixels);
  copy_fields(in, memory);
  return memory;
}

int mediatool_vips_copy_to_memory(VipsImage *in, VipsImage **out, mediatool_vips_error *error) {
  *out = in_memory(in);
  return mediatool_vips_check(*out == NULL, error);
}

VipsImage *mediatool_vips_strip_metadata(VipsImage *in, bool keep_profile) {
  if (vips_image_wio_input(in)) return NULL;
  VipsImage *out = vips_image_new_from_memory(
    VIPS_IMAGE_ADDR(in, 0, 0), VIPS_IMAGE_SIZEOF_IMAGE(in), in->Xsize, in->Ysize, in->Bands, in->BandFmt);
  if (!out) return NULL;
  copy_fields(in, out);
  vips_image_remove(out, VIPS_META_ORIENTATION);
  if (!keep_profile) vips_image_remove(out, VIPS_META_ICC_NAME);
  return out;
}
