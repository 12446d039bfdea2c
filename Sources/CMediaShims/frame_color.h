// Private to the shims: what the tags of a frame say about its colors, with what players take for an absent tag.
#ifndef MEDIATOOL_FRAME_COLOR_H
#define MEDIATOOL_FRAME_COLOR_H

#include <libavformat/avformat.h>
#include <libavutil/frame.h>
#include <stdbool.h>

// One of libswscale's SWS_CS_…: by the tag; untagged or unknown BT.2020 for PQ and HLG, else BT.601 below 720 rows and 1280 columns
// and BT.709 from there on. `transfer`: that of the frame, or what else is known of it.
int mediatool_frame_matrix(const AVFrame *frame, int transfer);

// Whether black is 0 and white the highest level; untagged is not, but for the layouts whose name says so, and RGB.
bool mediatool_frame_is_full_range(const AVFrame *frame);

// The rows of a frame that are shown, as libswscale takes them: of an interlaced one the first field. Two fields are two moments a fiftieth of a
// second apart, whose lines tear what moves; what is lost of the height by showing one of them nobody misses in a thumbnail.
typedef struct {
  const uint8_t *data[4];
  int strides[4];
  int height;
} mediatool_field;
mediatool_field mediatool_frame_shown_field(const AVFrame *frame);

// The brightest light of the video in cd/m², which a tone map makes white: what its images have, else what its maker's display had; 0 for
// unknown.
double mediatool_frame_peak(const AVFrame *frame, const AVStream *stream);

#endif
