// One video stream of a container, of which single frames are wanted: key frames here and there, or the frame at a moment.
//
// Reads the header, then only what a frame needs: every other stream is discarded, and the demuxer is made to jump. One thread
// decodes, so that the same file gives the same frame however busy the machine is.
#ifndef MEDIATOOL_VIDEO_H
#define MEDIATOOL_VIDEO_H

#include <stdbool.h>
#include <stdint.h>

#include "mediatool_input.h"
#include "mediatool_vips.h"

#pragma clang assume_nonnull begin

typedef struct mediatool_video mediatool_video;

typedef struct {
  const char *demuxer;   // of libavformat
  const char *decoders;  // of libavcodec, comma separated: the only ones that may be opened
  // Seconds, for a container whose header does not say; 0 for unknown.
  double duration;
  // The transfer of the signal (MEDIATOOL_TRANSFER_…) where the images themselves do not say; 0 for unknown.
  int transfer;
  // A frame with more pixels is refused before it is allocated.
  int64_t max_pixels;
  // Leaves out the loop filters of key frames that are decoded alone: their work is not seen in an image of half the size.
  bool fast;
  // Takes the decoders that know of the second image which holds the alpha of VP8 and VP9.
  bool alpha;
} mediatool_video_options;

typedef enum : int32_t {
  MEDIATOOL_VIDEO_OK = 0,
  MEDIATOOL_VIDEO_NONE,         // there is no stream of images
  MEDIATOOL_VIDEO_UNSUPPORTED,  // no reader or no decoder for it, or none that is allowed
  MEDIATOOL_VIDEO_TOO_LARGE,    // more pixels than allowed
  MEDIATOOL_VIDEO_CORRUPT,      // the container contradicts itself, or no frame could be decoded
  MEDIATOOL_VIDEO_NO_MEMORY,
  MEDIATOOL_VIDEO_INPUT,  // the input failed or its deadline passed: ask the input which
} mediatool_video_status;

// What the header says of the stream.
typedef struct {
  int width, height;  // with square pixels, not yet turned; 0 for unknown
  bool has_matrix;
  int32_t matrix[9];  // of the display: ISO/IEC 14496-12, 8.3.2
  bool is_cover;      // the only images are the cover's
  bool has_alpha;     // of the kept frame
  double duration;    // seconds; 0 for unknown
  double reach;       // seconds that are in the file, which may be truncated; 0 for unknown
} mediatool_video_facts;

// Opens the container and the decoder. The input has to outlive the video.
mediatool_video_status mediatool_video_open(
  mediatool_input *input, const mediatool_video_options *options, mediatool_video *_Nullable *_Nonnull video);
void mediatool_video_close(mediatool_video *video);

mediatool_video_facts mediatool_video_get_facts(const mediatool_video *video);

// Decodes the key frame at or before that second, or where there is none before it (or, in transport and program streams, none that a seek
// leads to) the first one after it. It becomes the frame at hand. A container without an index may lead to one that lies far
// before: where that is more than `farthest` seconds, what is between is read; INFINITY for never.
// `is_new`: false when it is one that was decoded before, which then is not decoded again and leaves no frame at hand.
mediatool_video_status mediatool_video_key_frame(
  mediatool_video *video, double second, double farthest, bool *is_new);

// Decodes on from the key frame at or before that second, some hundred frames at most, to one without damage: there are videos without complete key
// frames, which renew their image a stripe at a time. CORRUPT when there is none.
mediatool_video_status mediatool_video_undamaged_frame(mediatool_video *video, double second);

// Decodes the frame that is shown at that second, or the last one before the end.
mediatool_video_status mediatool_video_frame_at(mediatool_video *video, double second);

// From the beginning, without jumping, the first frame that can be decoded: for a file whose index leads nowhere.
mediatool_video_status mediatool_video_first_frame(mediatool_video *video);

// The frame so many frames further on. CORRUPT at the end.
mediatool_video_status mediatool_video_skip(mediatool_video *video, int frames);

// Statistics of the luma of the frame at hand. Levels go from 0 (black) to 255 (white).
typedef struct {
  double mean, deviation;
  double entropy;    // of a histogram of 32 bins, 0 to 1
  double dominance;  // share of the fullest 16 levels, 0 to 1
  double flatness;   // share of places that differ by less than 2 levels from their neighbours, 0 to 1
  double sharpness;  // the steepest twentieth of the slopes, in levels from one place to the next
  double opacity;    // mean, 0 (nothing to see) to 1
  bool is_damaged;   // parts were missing or guessed
} mediatool_frame_analysis;
mediatool_frame_analysis mediatool_video_analyze_frame(const mediatool_video *video);

// The frame at hand is the best so far.
void mediatool_video_keep(mediatool_video *video);
// When the kept frame is shown, in seconds from the beginning; negative for unknown.
double mediatool_video_time(const mediatool_video *video);
// Frames that were decoded so far.
int mediatool_video_frames_decoded(const mediatool_video *video);

// The kept frame in 8-bit sRGB, with square pixels, scaled to that size, which must not be larger than it makes sense. It is not turned.
int mediatool_video_image(
  const mediatool_video *video, int width, int height, VipsImage *_Nullable *_Nonnull out, mediatool_vips_error *error);

#pragma clang assume_nonnull end
#endif
