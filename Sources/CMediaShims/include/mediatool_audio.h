// The loudness of an audio file over its length, from one decode and in little memory.
#ifndef MEDIATOOL_AUDIO_H
#define MEDIATOOL_AUDIO_H

#include <libavformat/avformat.h>
#include <libavutil/frame.h>
#include <stdbool.h>
#include <stdint.h>

#pragma clang assume_nonnull begin

// The largest absolute samples of stretches of equal length. When the bins are full, each two become one, so that an audio file of any
// length fits and nobody has to know the length before.
typedef struct {
  float *_Nullable bins;
  int32_t capacity;     // even
  int32_t count;        // bins in use, the last one perhaps not full
  int64_t bin_samples;  // samples that a full bin stands for
  int64_t filled;       // samples in the last bin
  int64_t samples;      // all samples so far
} mediatool_envelope;

// Bins that the caller has made and keeps; capacity is even and at least 2.
void mediatool_envelope_start(mediatool_envelope *envelope, float *bins, int32_t capacity);

// Adds samples of one channel. What is not a number counts as silence.
void mediatool_envelope_add(mediatool_envelope *envelope, const float *samples, int32_t count);

// Mixes a stretch of a frame into one channel: the mean of all its channels, full scale ±1. False when the layout of the
// samples is not known.
bool mediatool_audio_mix(const AVFrame *frame, int32_t from, int32_t count, float *mono);

typedef enum : int32_t {
  MEDIATOOL_AUDIO_WHOLE = 0,    // heard to its end, or as far as it goes
  MEDIATOOL_AUDIO_PARTLY,       // the input failed or its deadline passed on the way: ask the input which
  MEDIATOOL_AUDIO_SILENT,       // nothing of it could be decoded
  MEDIATOOL_AUDIO_UNSUPPORTED,  // no audio in it, or no decoder that is allowed
  MEDIATOOL_AUDIO_NO_MEMORY,
} mediatool_audio_status;

typedef struct {
  int32_t sample_rate;  // of the last frame
  int64_t position;     // how many bytes into the file the reading came
  bool has_no_packets;  // the container came to its end without any: an audio file of no length
} mediatool_audio_end;

// Whether the container lists an audio file.
bool mediatool_audio_exists(const AVFormatContext *container);

// Decodes one audio of the container from where it stands: the first that is marked as default, else the first. Reads no more of the others
// than their container makes it. decoders: libavcodec names, comma separated; no other is opened.
mediatool_audio_status mediatool_audio_read(
  AVFormatContext *container, const char *decoders, mediatool_envelope *envelope, mediatool_audio_end *end);

#pragma clang assume_nonnull end
#endif
