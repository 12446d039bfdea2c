#include <float.h>
#include <math.h>

#include "mediatool_audio.h"

void mediatool_envelope_start(mediatool_envelope *envelope, float *bins, int32_t capacity) {
  *envelope = (mediatool_envelope){.bins = bins, .capacity = capacity, .bin_samples = 1};
}

// Several maxima at once: their order does not matter, but the compiler cannot assume that for floats.
enum { lanes = 16 };

// A comparison with NaN is false, so NaN never becomes the maximum.
static float largest(const float *samples, int32_t count) {
  float side[lanes] = {0};
  int32_t i = 0;
  for (; i + lanes <= count; i += lanes) {
    for (int lane = 0; lane < lanes; lane++) {
      float level = fabsf(samples[i + lane]);
      side[lane] = level > side[lane] ? level : side[lane];
    }
  }
  float result = 0;
  for (int lane = 0; lane < lanes; lane++) result = side[lane] > result ? side[lane] : result;
  for (; i < count; i++) result = fabsf(samples[i]) > result ? fabsf(samples[i]) : result;
  // Samples in a file may be infinite, but levels are divided by the maximum.
  return result < FLT_MAX ? result : FLT_MAX;
}

// Merges each pair of bins into one with twice as many samples. All bins are full when this is called.
static void halve(mediatool_envelope *envelope) {
  int32_t half = envelope->capacity / 2;
  for (int32_t i = 0; i < half; i++)
    envelope->bins[i] = envelope->bins[2 * i] > envelope->bins[2 * i + 1] ? envelope->bins[2 * i] : envelope->bins[2 * i + 1];
  envelope->count = half;
  envelope->bin_samples *= 2;
  envelope->filled = envelope->bin_samples;
}

void mediatool_envelope_add(mediatool_envelope *envelope, const float *samples, int32_t count) {
  while (count > 0) {
    if (envelope->count == 0 || envelope->filled == envelope->bin_samples) {
      if (envelope->count == envelope->capacity) halve(envelope);
      envelope->bins[envelope->count++] = 0;
      envelope->filled = 0;
    }
    int64_t room = envelope->bin_samples - envelope->filled;
    int32_t taken = room < count ? (int32_t)room : count;
    float *bin = &envelope->bins[envelope->count - 1];
    float level = largest(samples, taken);
    if (level > *bin) *bin = level;
    envelope->filled += taken;
    envelope->samples += taken;
    samples += taken;
    count -= taken;
  }
}
