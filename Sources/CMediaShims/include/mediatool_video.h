// Single frames of a video stream: some key frames, or the frame at a position.
//
// Reads the header, then only what a frame needs: other streams are discarded, and the demuxer seeks. One thread
// decodes, so that the same file gives the same frame under any load.
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
  // The duration in seconds, for containers whose header states none; 0 if unknown.
  double duration;
  // The transfer function (MEDIATOOL_TRANSFER_…) for frames that state none; 0 if unknown.
  int transfer;
  // A frame with more pixels is refused before it is allocated.
  int64_t max_pixels;
  // Skips the loop filters of key frames that are decoded alone: the difference is invisible at half the size.
  bool fast;
  // Prefers decoders that support the alpha of VP8 and VP9.
  bool alpha;
} mediatool_video_options;

typedef enum : int32_t {
  MEDIATOOL_VIDEO_OK = 0,
  MEDIATOOL_VIDEO_NONE,         // there is no video stream
  MEDIATOOL_VIDEO_UNSUPPORTED,  // no demuxer or decoder for it, or none is allowed
  MEDIATOOL_VIDEO_TOO_LARGE,    // more pixels than allowed
  MEDIATOOL_VIDEO_CORRUPT,      // the container contradicts itself, or no frame could be decoded
  MEDIATOOL_VIDEO_NO_MEMORY,
  MEDIATOOL_VIDEO_INPUT,  // the input failed or its deadline passed: the input knows which
} mediatool_video_status;

// The facts of the stream in the header.
typedef struct {
  int width, height;  // with square pixels, before rotation; 0 if unknown
  bool has_matrix;
  int32_t matrix[9];  // the display matrix: ISO/IEC 14496-12, 8.3.2
  bool is_cover;      // the only image is the cover
  bool has_alpha;     // of the kept frame
  double duration;    // seconds; 0 for unknown
  double reach;       // seconds that exist in the file, which may be truncated; 0 if unknown
} mediatool_video_facts;

// Opens the container and the decoder. The input has to outlive the video.
mediatool_video_status mediatool_video_open(
  mediatool_input *input, const mediatool_video_options *options, mediatool_video *_Nullable *_Nonnull video);
void mediatool_video_close(mediatool_video *video);

mediatool_video_facts mediatool_video_get_facts(const mediatool_video *video);

// Decodes the key frame at or before this second. If there is none before it (or, in transport and program streams,
// none that a seek leads to), decodes the first one after it. It becomes the current frame. A seek in a container
// without an index may lead to a much earlier one: if it is more than `farthest` seconds earlier, the interval is
// read; INFINITY: never. `is_new`: false for a key frame that was decoded before. It is not decoded again, and there
// is no current frame.
mediatool_video_status mediatool_video_key_frame(
  mediatool_video *video, double second, double farthest, bool *is_new);

// Decodes from the key frame at or before this second to the first frame without damage, at most some hundred frames:
// videos with gradual intra refresh have no complete key frames. CORRUPT if there is none.
mediatool_video_status mediatool_video_undamaged_frame(mediatool_video *video, double second);

// Decodes the frame that is shown at this second, or the last one.
mediatool_video_status mediatool_video_frame_at(mediatool_video *video, double second);

// Decodes the first decodable frame from the beginning without a seek, for files with an invalid index.
mediatool_video_status mediatool_video_first_frame(mediatool_video *video);

// Decodes the frame that is this many frames later. CORRUPT at the end.
mediatool_video_status mediatool_video_skip(mediatool_video *video, int frames);

// Statistics of the luma of the current frame. Levels go from 0 (black) to 255 (white).
typedef struct {
  double mean, deviation;
  double entropy;    // of a histogram of 32 bins, 0 to 1
  double dominance;  // share of the fullest 16 levels, 0 to 1
  double flatness;   // share of cells that differ by less than 2 levels from their neighbours, 0 to 1
  double sharpness;  // mean of the steepest 5 % of the slopes, in levels per cell
  double opacity;    // mean, 0 (transparent) to 1
  bool is_damaged;   // parts were missing or guessed
} mediatool_frame_analysis;
mediatool_frame_analysis mediatool_video_analyze_frame(const mediatool_video *video);

// Keeps the current frame as the best so far.
void mediatool_video_keep(mediatool_video *video);
// The time of the kept frame, in seconds from the beginning; negative if unknown.
double mediatool_video_time(const mediatool_video *video);
// Number of frames decoded so far.
int mediatool_video_frames_decoded(const mediatool_video *video);

// The kept frame in 8-bit sRGB with square pixels, scaled to this size, which should not exceed the frame's. It is
// not rotated.
int mediatool_video_image(
  const mediatool_video *video, int width, int height, VipsImage *_Nullable *_Nonnull out, mediatool_vips_error *error);

#pragma clang assume_nonnull end
#endif
