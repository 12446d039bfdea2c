#include "mediatool_tone_map.h"

#include <math.h>
#include <stdlib.h>

#include "primaries.h"

// The unit of light is reference white, in cd/m² (ITU-R BT.2408-7, table 1).
static const double reference_white = 203;
static const double hlg_peak = 1000;  // the nominal display of ITU-R BT.2100, for which its system gamma is 1.2

enum {
  level_bits = 12,  // significant bits of a 16-bit level: one step of PQ is then invisible
  levels = 1 << level_bits,
  steps = 4096,  // of the tables over light, which are indexed by its square root
};

struct mediatool_tone_map {
  float light[levels];     // signal → light; for HLG light of the scene, 0 to 1
  float rendering[steps];  // HLG: luminance of the scene → factor to light of the display
  float gain[steps];       // the brightest channel, up to the peak → factor
  uint8_t srgb[steps];     // light, 0 to 1 → sRGB
  float matrix[9];         // primaries of the signal → those of sRGB
  float peak, knee;        // in units of reference white; below the knee the gain is 1
  float alpha;             // levels of alpha → 0 to 255
  bool is_hlg;
};

// SMPTE ST 2084, cd/m².
static const double m1 = 2610 / 16384.0, m2 = 2523 / 4096.0 * 128, c1 = 3424 / 4096.0, c2 = 2413 / 4096.0 * 32,
                    c3 = 2392 / 4096.0 * 32;

static double pq_light(double signal) {
  double e = pow(signal, 1 / m2);
  return 10000 * pow(fmax(e - c1, 0) / (c2 - c3 * e), 1 / m1);
}

static double pq_signal(double light) {
  double y = pow(light / 10000, m1);
  return pow((c1 + c2 * y) / (1 + c3 * y), m2);
}

// The inverse of the transfer function of ARIB STD-B67: light of the scene, 0 to 1 (ITU-R BT.2100, table 5).
static double hlg_light(double signal) {
  const double a = 0.17883277, b = 0.28466892, c = 0.55991073;
  return signal <= 0.5 ? signal * signal / 3 : (exp((signal - c) / a) + b) / 12;
}

// The EETF of ITU-R BT.2390-10, 5.4.1, which maps black to peak to black to reference white, all in cd/m².
static double compressed(double light, double peak) {
  double top = pq_signal(peak), signal = fmin(pq_signal(light) / top, 1), maximum = pq_signal(reference_white) / top;
  double knee = 1.5 * maximum - 0.5;
  if (signal <= knee) return light;
  double t = (signal - knee) / (1 - knee), t2 = t * t, t3 = t2 * t;
  return pq_light(
    top * ((2 * t3 - 3 * t2 + 1) * knee + (t3 - 2 * t2 + t) * (1 - knee) + (3 * t2 - 2 * t3) * maximum));
}

static double srgb_signal(double light) {
  return light <= 0.0031308 ? 12.92 * light : 1.055 * pow(light, 1 / 2.4) - 0.055;
}

static const float from_bt709[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};

bool mediatool_tone_map_knows(int transfer) {
  return transfer == MEDIATOOL_TRANSFER_PQ || transfer == MEDIATOOL_TRANSFER_HLG;
}

mediatool_tone_map *mediatool_tone_map_new(mediatool_tone_map_options options) {
  if (!mediatool_tone_map_knows(options.transfer)) return NULL;
  mediatool_tone_map *map = calloc(1, sizeof *map);
  if (!map) return NULL;
  map->is_hlg = options.transfer == MEDIATOOL_TRANSFER_HLG;
  double peak = options.peak > 0 && !map->is_hlg ? fmin(fmax(options.peak, 250), 10000) : hlg_peak;
  double white = options.white > 0 && options.white < 65536 ? options.white : 65535;
  for (int i = 0; i < levels; i++) {
    // The middle of the levels that share an entry, except for those whose lower bits are always 0.
    double level = i * (65536 / levels) + (white < 65535 ? 0 : (65536 / levels - 1) / 2.0);
    // The last entry is the full signal, not the middle of its range.
    double signal = i == levels - 1 ? 1 : fmin(level / white, 1);
    map->light[i] = (float)(map->is_hlg ? hlg_light(signal) : pq_light(signal) / reference_white);
  }
  for (int i = 0; i < steps; i++) {
    double root = i / (steps - 1.0), light = root * root;
    // The first entry has no light, so only the limit matters.
    double lit = i ? light : 0.25 / ((steps - 1.0) * (steps - 1.0));
    map->srgb[i] = (uint8_t)lround(255 * srgb_signal(light));
    map->gain[i] = (float)(compressed(lit * peak, peak) / (lit * peak));
    map->rendering[i] = (float)(hlg_peak / reference_white * pow(lit, 0.2));
  }
  double top = pq_signal(peak);
  map->knee = (float)(pq_light(1.5 * pq_signal(reference_white) - 0.5 * top) / reference_white);
  map->peak = (float)(peak / reference_white);
  map->alpha = (float)(255 / white);
  bool is_known = options.primaries == MEDIATOOL_PRIMARIES_BT709 || options.primaries == MEDIATOOL_PRIMARIES_P3;
  const float *matrix = mediatool_primaries_matrix(is_known ? options.primaries : MEDIATOOL_PRIMARIES_BT2020);
  if (!matrix) matrix = from_bt709;
  for (int i = 0; i < 9; i++) map->matrix[i] = matrix[i];
  return map;
}

void mediatool_tone_map_free(mediatool_tone_map *map) { free(map); }

// The index into a table over light from 0 to 1; values outside have the first or the last entry.
static inline int place(float light) {
  float bounded = light > 0 ? (light < 1 ? light : 1) : 0;
  return (int)(sqrtf(bounded) * (steps - 1) + 0.5f);
}

void mediatool_tone_map_pixels(
  const mediatool_tone_map *map, const uint16_t *in, uint8_t *out, size_t pixels, int channels) {
  const float *m = map->matrix;
  for (size_t i = 0; i < pixels; i++, in += channels, out += channels) {
    float x = map->light[in[0] >> (16 - level_bits)], y = map->light[in[1] >> (16 - level_bits)],
          z = map->light[in[2] >> (16 - level_bits)];
    float r = m[0] * x + m[1] * y + m[2] * z, g = m[3] * x + m[4] * y + m[5] * z, b = m[6] * x + m[7] * y + m[8] * z;
    float factor = map->is_hlg ? map->rendering[place(0.2126f * r + 0.7152f * g + 0.0722f * b)] : 1;
    float brightest = factor * fmaxf(r, fmaxf(g, b));
    if (brightest > map->peak) factor /= brightest;
    else if (brightest > map->knee) factor *= map->gain[place(brightest / map->peak)];
    out[0] = map->srgb[place(factor * r)];
    out[1] = map->srgb[place(factor * g)];
    out[2] = map->srgb[place(factor * b)];
    if (channels == 4) {
      float alpha = (float)in[3] * map->alpha + 0.5f;
      out[3] = alpha < 255 ? (uint8_t)alpha : 255;
    }
  }
}
