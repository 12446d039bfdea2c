#include <string.h>

#include "mediatool_tone_map.h"
#include "mediatool_vips.h"
#include "vips_error.h"

// Converts 1 to 4 bands of 8 or 16 bits to 16-bit RGB, or RGBA if there is alpha; grey is copied to all three
// channels.
static void spread(const void *row, VipsBandFormat format, int bands, int count, uint16_t *out) {
  int colors = bands < 3 ? 1 : 3, channels = bands % 2 ? 3 : 4;
  for (int i = 0; i < count; i++)
    for (int c = 0; c < channels; c++) {
      int band = i * bands + (c == 3 ? colors : colors == 3 ? c : 0);
      out[i * channels + c] =
        format == VIPS_FORMAT_UCHAR ? (uint16_t)(((const uint8_t *)row)[band] * 257) : ((const uint16_t *)row)[band];
    }
}

static int map_rows(VipsRegion *out, void *sequence, void *image, void *data, gboolean *stop) {
  (void)stop;
  VipsRegion *in = sequence;
  VipsImage *source = image;
  VipsRect *r = &out->valid;
  if (vips_region_prepare(in, r)) return -1;
  uint16_t *row = g_try_new(uint16_t, (gsize)r->width * 4);
  if (!row) return -1;
  for (int y = r->top; y < r->top + r->height; y++) {
    spread(VIPS_REGION_ADDR(in, r->left, y), source->BandFmt, source->Bands, r->width, row);
    mediatool_tone_map_pixels(data, row, VIPS_REGION_ADDR(out, r->left, y), (size_t)r->width, out->im->Bands);
  }
  g_free(row);
  return 0;
}

static void free_map(VipsImage *image, mediatool_tone_map *map) {
  (void)image;
  mediatool_tone_map_free(map);
}

// The level of white. libheif only shifts 10 and 12 bits up, so white is less than 65535.
static int white_level(VipsImage *in) {
  int bits = 0;
  if (in->BandFmt != VIPS_FORMAT_USHORT || !vips_image_get_typeof(in, "heif-bitdepth")) return 65535;
  if (vips_image_get_int(in, "heif-bitdepth", &bits) || bits <= 8 || bits >= 16) return 65535;
  return ((1 << bits) - 1) << (16 - bits);
}

int mediatool_vips_tone_map(
  VipsImage *in, mediatool_tone_map_options options, VipsImage **out, mediatool_vips_error *error) {
  *out = NULL;
  bool is_known = (in->BandFmt == VIPS_FORMAT_USHORT || in->BandFmt == VIPS_FORMAT_UCHAR) && in->Bands <= 4 &&
                  in->Type != VIPS_INTERPRETATION_CMYK;
  options.white = white_level(in);
  mediatool_tone_map *map = is_known ? mediatool_tone_map_new(options) : NULL;
  if (!map) {
    g_strlcpy(error->text, "not an HDR image", sizeof error->text);
    return -1;
  }
  VipsImage *mapped = vips_image_new();
  g_signal_connect(mapped, "postclose", G_CALLBACK(free_map), map);
  int result = vips_image_pipelinev(mapped, VIPS_DEMAND_STYLE_THINSTRIP, in, NULL);
  mapped->Bands = in->Bands % 2 ? 3 : 4;
  mapped->BandFmt = VIPS_FORMAT_UCHAR;
  mapped->Type = VIPS_INTERPRETATION_sRGB;
  if (!result) {
    vips_image_remove(mapped, VIPS_META_ICC_NAME);
    result = vips_image_generate(mapped, vips_start_one, map_rows, vips_stop_one, in, map);
  }
  if (result) {
    VIPS_UNREF(mapped);
    return mediatool_vips_check(result, error);
  }
  // The operation refers to its input during its whole lifetime.
  g_object_ref(in);
  vips_object_local(mapped, in);
  *out = mapped;
  return 0;
}
