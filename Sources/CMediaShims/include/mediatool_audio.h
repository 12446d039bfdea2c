// The levels of an audio file over its duration, from one decode and with little memory.
#ifndef MEDIATOOL_AUDIO_H
#define MEDIATOOL_AUDIO_H

#include <libavformat/avformat.h>
#include <libavutil/frame.h>
#include <stdbool.h>
#include <stdint.h>

#pragma clang assume_nonnull begin

// The largest absolute samples of intervals of equal length. When the bins are full, each pair is merged, so that
// audio of any length fits and the length need not be known in advance.
typedef struct {
  float *_Nullable bins;
  int32_t capacity;     // even
  int32_t count;        // bins in use, the last one perhaps not full
  int64_t bin_samples;  // samples in a full bin
  int64_t filled;       // samples in the last bin
  int64_t samples;      // all samples so far
} mediatool_envelope;

// The caller allocates and frees the bins; capacity is even and at least 2.
void mediatool_envelope_start(mediatool_envelope *envelope, float *bins, int32_t capacity);

// Adds samples of one channel. NaN counts as silence.
void mediatool_envelope_add(mediatool_envelope *envelope, const float *samples, int32_t count);

// Mixes a range of a frame into one channel: the mean of all channels, full scale ±1. False if the sample format is
// unknown.
bool mediatool_audio_mix(const AVFrame *frame, int32_t from, int32_t count, float *mono);

typedef enum : int32_t {
  MEDIATOOL_AUDIO_WHOLE = 0,    // decoded to the end of the file
  MEDIATOOL_AUDIO_PARTLY,       // the input failed or its deadline passed before the end: the input knows which
  MEDIATOOL_AUDIO_SILENT,       // nothing of it could be decoded
  MEDIATOOL_AUDIO_UNSUPPORTED,  // no audio stream, or no allowed decoder
  MEDIATOOL_AUDIO_NO_MEMORY,
} mediatool_audio_status;

typedef struct {
  int32_t sample_rate;  // of the last frame
  int64_t position;     // number of bytes read of the file
  bool has_no_packets;  // the container has no packets: audio of zero length
} mediatool_audio_end;

// Whether the container has an audio stream.
bool mediatool_audio_exists(const AVFormatContext *container);

// Decodes one audio stream from the current position: the first that is marked as default, else the first. Reads no
// more of the other streams than the container requires. decoders: names of libavcodec, comma-separated; no others
// are opened.
mediatool_audio_status mediatool_audio_read(
  AVFormatContext *container, const char *decoders, mediatool_envelope *envelope, mediatool_audio_end *end);

#pragma clang assume_nonnull end
#endif
