// Transcodes one video or audio file: smaller, upright, in a codec and a container that old receivers support, without metadata.
//
// One call is one attempt with one quality; the caller chooses the number of attempts and their qualities. Streams
// that fit are copied. One thread, so that the same file gives the same bytes under any load.
#ifndef MEDIATOOL_TRANSCODE_H
#define MEDIATOOL_TRANSCODE_H

#include <stdbool.h>
#include <stdint.h>

#include "mediatool_input.h"

#pragma clang assume_nonnull begin

typedef enum : int32_t {
  MEDIATOOL_CONTAINER_MP4 = 0,  // brand isom
  MEDIATOOL_CONTAINER_3GP,      // brand 3gp4
  MEDIATOOL_CONTAINER_AMR,      // RFC 4867, section 5; audio alone
} mediatool_container;

typedef enum : int32_t {
  MEDIATOOL_CODING_NONE = 0,  // the stream is dropped
  MEDIATOOL_CODING_COPY,      // copied; NOT_IN_CLASS if that is not possible
  MEDIATOOL_CODING_H264,      // Constrained Baseline
  MEDIATOOL_CODING_H263,      // profile 0
  MEDIATOOL_CODING_AAC,       // low complexity
  MEDIATOOL_CODING_AMR,       // narrow band, 8,000 Hz, one channel
} mediatool_coding;

// The scaled frames of a video and its encoded audio, kept for the next attempt, which then decodes and scales nothing. An attempt that
// exceeds the size still fills the cache. Nothing is kept of a video that would need more than `max_bytes`. One video, one thread.
typedef struct mediatool_frame_cache mediatool_frame_cache;
mediatool_frame_cache *_Nullable mediatool_frame_cache_new(int64_t max_bytes);
void mediatool_frame_cache_free(mediatool_frame_cache *_Nullable cache);

typedef struct {
  const char *demuxer;   // of libavformat
  const char *decoders;  // of libavcodec, comma separated: the only ones that may be opened
  int64_t max_pixels;    // a frame with more is refused before it is allocated
  int transfer;          // transfer function (MEDIATOOL_TRANSFER_…) for frames that state none; 0 if unknown

  mediatool_container container;
  mediatool_coding video;
  mediatool_coding audio;

  int32_t width, height;     // upright and even; for a copy the maximum
  int32_t shown_width, shown_height;  // the part that the video occupies, even; the rest is black
  int32_t orientation;       // EXIF orientation, 1 to 8, by which decoded frames are rotated
  double max_frame_rate;     // excess frames are dropped; the others keep their timestamps
  double quantizer;          // H.264: x264's rate factor, 0 to 51. H.263: 6·log2 of its quantiser, 6 to 29.7
  double min_quantizer, max_quantizer;  // limits within which the rate control adjusts it to reach aim_bytes
  int64_t aim_bytes;         // target size of both streams, without the container; 0 for a fixed quantizer
  int32_t level;             // H.264: 10 times its number, 9 for 1b. For a copy the maximum. H.263: its number
  int64_t max_rate;          // bits per second that the level allows, which H.264 observes; 0 for any
  int64_t buffer_size;       // bits of the decoder's buffer

  int32_t sample_rate, channels;
  int64_t audio_rate;        // bits per second

  double max_seconds;        // later frames are dropped
  double expected_seconds;   // probable duration, to detect early that the file gets too large; 0 for unknown
  int64_t max_bytes;         // of the whole file; a larger attempt is abandoned
  mediatool_frame_cache *_Nullable cache;  // of earlier attempts at the same file; null for none
  // Called with the seconds encoded so far, for each packet; may be null.
  void (*_Nullable progress)(void *_Nullable context, double seconds);
  void *_Nullable progress_context;
} mediatool_transcode_options;

typedef enum : int32_t {
  MEDIATOOL_TRANSCODE_OK = 0,
  MEDIATOOL_TRANSCODE_OVER,          // the file is, or was projected to be, larger than max_bytes
  MEDIATOOL_TRANSCODE_NOT_IN_CLASS,  // a stream to copy does not meet the options
  MEDIATOOL_TRANSCODE_NONE,          // there is no such stream
  MEDIATOOL_TRANSCODE_UNSUPPORTED,   // no demuxer or decoder for it, or none is allowed
  MEDIATOOL_TRANSCODE_NO_ENCODER,    // the libraries of this machine cannot write that codec
  MEDIATOOL_TRANSCODE_TOO_LARGE,     // more pixels than allowed
  MEDIATOOL_TRANSCODE_CORRUPT,       // the container contradicts itself, or nothing could be decoded
  MEDIATOOL_TRANSCODE_NO_MEMORY,
  MEDIATOOL_TRANSCODE_INPUT,         // the input failed or its deadline passed: the input knows which
} mediatool_transcode_status;

typedef struct {
  uint8_t *_Nullable bytes;  // the file; mediatool_transcode_free
  int64_t size;
  int64_t video_bytes, audio_bytes;  // sizes of the streams, without the container
  int64_t projected_bytes;            // projected size of both streams of an abandoned attempt
  double seconds;                    // seconds encoded
  int64_t frames;                    // number of video frames written
  bool has_audio;                    // whether it has an audio stream
  bool is_cut;                       // frames after max_seconds were dropped
  bool is_from_cache;               // its frames were taken from the cache
} mediatool_transcode_result;

mediatool_transcode_status mediatool_transcode(
  mediatool_input *input, const mediatool_transcode_options *options, mediatool_transcode_result *result);
void mediatool_transcode_free(mediatool_transcode_result *result);

// Whether the libraries of this machine have an encoder for the codec. For AMR this opens libopencore-amrnb, which a worker must do before
// its isolation.
bool mediatool_can_encode(mediatool_coding coding);

#pragma clang assume_nonnull end
#endif
