// Tone mapping for standard displays: PQ and HLG signals to 8-bit sRGB, row by row.
//
// Signal → linear light → primaries of sRGB → (HLG: rendered for a display of 1000 cd/m²) → brightness compressed →
// sRGB. Reference white, the brightness of paper, is 203 cd/m² (ITU-R BT.2408), and is the brightest level of sRGB.
// Brighter light, up to the peak, is compressed by the curve of ITU-R BT.2390 (EETF, section 5.4.1): light below
// about 92 cd/m² stays unchanged, paper white becomes 229 of 255, and the peak 255. The curve is applied to the
// brightest of the three channels and scales all three, so that hues stay the same. Colors outside of sRGB are
// clipped, as in browsers.
#ifndef MEDIATOOL_TONE_MAP_H
#define MEDIATOOL_TONE_MAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#pragma clang assume_nonnull begin

// Numbers of ITU-T H.273, which are also those of libav's AVColorTransferCharacteristic and AVColorPrimaries.
enum {
  MEDIATOOL_TRANSFER_PQ = 16,   // SMPTE ST 2084
  MEDIATOOL_TRANSFER_HLG = 18,  // ARIB STD-B67
};
enum {
  MEDIATOOL_PRIMARIES_BT709 = 1,
  MEDIATOOL_PRIMARIES_BT2020 = 9,
  MEDIATOOL_PRIMARIES_P3 = 12,  // Display P3, white point D65
};

typedef struct {
  int transfer;   // one of MEDIATOOL_TRANSFER_…
  int primaries;  // one of MEDIATOOL_PRIMARIES_…; any other number counts as BT.2020, which such signals nearly always have
  double peak;    // PQ: the light in cd/m² that becomes white, 250 to 10000; 0 for 1000. HLG: always 1000
  int white;      // the level of white, 1 to 65535; 0 for 65535. With 10 bits libvips has 1023 << 6
} mediatool_tone_map_options;

// Whether there is a tone map for the transfer function.
bool mediatool_tone_map_knows(int transfer);

// About 60 KB of tables, made in about a millisecond; may be used by many threads at once.
typedef struct mediatool_tone_map mediatool_tone_map;

// Null for another transfer function, or if memory is short.
mediatool_tone_map *_Nullable mediatool_tone_map_new(mediatool_tone_map_options options);
void mediatool_tone_map_free(mediatool_tone_map *_Nullable map);

// Maps pixels with 3 (RGB) or 4 (RGBA, straight) channels from 16 bits in native byte order to 8 bits. YCbCr must
// have been converted to RGB before; the levels are full range.
void mediatool_tone_map_pixels(
  const mediatool_tone_map *map, const uint16_t *in, uint8_t *out, size_t pixels, int channels);

#pragma clang assume_nonnull end
#endif
