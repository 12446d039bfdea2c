#include "primaries.h"

#include <math.h>

#include "mediatool_tone_map.h"

static const float from_bt2020[9] = {1.660491F, -0.587641F, -0.072850F, -0.124550F, 1.132900F,
                                     -0.008349F, -0.018151F, -0.100579F, 1.118730F};
static const float from_p3[9] = {1.224940F, -0.224940F, 0, -0.042057F, 1.042057F, 0, -0.019638F, -0.078636F, 1.098274F};

const float *mediatool_primaries_matrix(int primaries) {
  return primaries == MEDIATOOL_PRIMARIES_BT2020 ? from_bt2020 : primaries == MEDIATOOL_PRIMARIES_P3 ? from_p3 : NULL;
}

enum { steps = 4096 };

static uint8_t level_of(const uint8_t *table, float light) {
  return table[light <= 0 ? 0 : light >= 1 ? steps - 1 : (int)(sqrtf(light) * (steps - 1) + 0.5F)];
}

void mediatool_primaries_to_srgb(int primaries, uint8_t *pixels, size_t count) {
  const float *m = mediatool_primaries_matrix(primaries);
  if (!m) return;
  // Players use the transfer function of the display (sRGB) whatever that of the camera was, so greys stay unchanged.
  float light[256];
  uint8_t level[steps];
  for (int i = 0; i < 256; i++) {
    double signal = i / 255.0;
    light[i] = (float)(signal <= 0.04045 ? signal / 12.92 : pow((signal + 0.055) / 1.055, 2.4));
  }
  for (int i = 0; i < steps; i++) {
    double linear = pow(i / (steps - 1.0), 2);
    double signal = linear <= 0.0031308 ? 12.92 * linear : 1.055 * pow(linear, 1 / 2.4) - 0.055;
    level[i] = (uint8_t)lround(signal * 255);
  }
  for (uint8_t *p = pixels; count > 0; count--, p += 4) {
    float r = light[p[0]], g = light[p[1]], b = light[p[2]];
    p[0] = level_of(level, m[0] * r + m[1] * g + m[2] * b);
    p[1] = level_of(level, m[3] * r + m[4] * g + m[5] * b);
    p[2] = level_of(level, m[6] * r + m[7] * g + m[8] * b);
  }
}
