#include <libavutil/samplefmt.h>

#include "mediatool_audio.h"

// One loop per layout and sample type, so that the compiler vectorises it. Planar channels are added one after the
// other.
#define MIX(name, type, zero, scale)                                                                             \
  static void planar_##name(const AVFrame *frame, int from, int count, int channels, float *mono) {              \
    const float factor = (float)(1.0 / ((scale) * channels));                                                    \
    for (int channel = 0; channel < channels; channel++) {                                                       \
      const type *samples = (const type *)frame->extended_data[channel] + from;                                  \
      if (channel == 0) {                                                                                        \
        for (int i = 0; i < count; i++) mono[i] = ((float)samples[i] - (zero)) * factor;                         \
      } else {                                                                                                   \
        for (int i = 0; i < count; i++) mono[i] += ((float)samples[i] - (zero)) * factor;                        \
      }                                                                                                          \
    }                                                                                                            \
  }                                                                                                              \
  static void packed_##name(const AVFrame *frame, int from, int count, int channels, float *mono) {              \
    const float factor = (float)(1.0 / ((scale) * channels));                                                    \
    const type *samples = (const type *)frame->extended_data[0] + (size_t)from * (size_t)channels;               \
    if (channels == 1) {                                                                                         \
      for (int i = 0; i < count; i++) mono[i] = ((float)samples[i] - (zero)) * factor;                           \
    } else if (channels == 2) {                                                                                  \
      for (int i = 0; i < count; i++)                                                                            \
        mono[i] = ((float)samples[2 * i] - (zero)) * factor + ((float)samples[2 * i + 1] - (zero)) * factor;     \
    } else {                                                                                                     \
      for (int i = 0; i < count; i++) {                                                                          \
        float sum = 0;                                                                                           \
        for (int channel = 0; channel < channels; channel++) sum += ((float)samples[channel] - (zero)) * factor; \
        mono[i] = sum;                                                                                           \
        samples += channels;                                                                                     \
      }                                                                                                          \
    }                                                                                                            \
  }

MIX(u8, uint8_t, 128, 128.0)
MIX(s16, int16_t, 0, 32768.0)
MIX(s32, int32_t, 0, 2147483648.0)
MIX(s64, int64_t, 0, 9223372036854775808.0)
MIX(flt, float, 0, 1.0)
MIX(dbl, double, 0, 1.0)

bool mediatool_audio_mix(const AVFrame *frame, int32_t from, int32_t count, float *mono) {
  int channels = frame->ch_layout.nb_channels;
  if (channels < 1 || from < 0 || count < 0 || count > frame->nb_samples - from) return false;
  switch (frame->format) {
    case AV_SAMPLE_FMT_U8: packed_u8(frame, from, count, channels, mono); return true;
    case AV_SAMPLE_FMT_S16: packed_s16(frame, from, count, channels, mono); return true;
    case AV_SAMPLE_FMT_S32: packed_s32(frame, from, count, channels, mono); return true;
    case AV_SAMPLE_FMT_S64: packed_s64(frame, from, count, channels, mono); return true;
    case AV_SAMPLE_FMT_FLT: packed_flt(frame, from, count, channels, mono); return true;
    case AV_SAMPLE_FMT_DBL: packed_dbl(frame, from, count, channels, mono); return true;
    case AV_SAMPLE_FMT_U8P: planar_u8(frame, from, count, channels, mono); return true;
    case AV_SAMPLE_FMT_S16P: planar_s16(frame, from, count, channels, mono); return true;
    case AV_SAMPLE_FMT_S32P: planar_s32(frame, from, count, channels, mono); return true;
    case AV_SAMPLE_FMT_S64P: planar_s64(frame, from, count, channels, mono); return true;
    case AV_SAMPLE_FMT_FLTP: planar_flt(frame, from, count, channels, mono); return true;
    case AV_SAMPLE_FMT_DBLP: planar_dbl(frame, from, count, channels, mono); return true;
    default: return false;
  }
}
