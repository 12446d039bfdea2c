// Private to the shims: the color tags of a frame, with the defaults of players for absent tags.
#ifndef MEDIATOOL_FRAME_COLOR_H
#define MEDIATOOL_FRAME_COLOR_H

#include <libavformat/avformat.h>
#include <libavutil/frame.h>
#include <stdbool.h>

// The matrix as SWS_CS_… of libswscale, by the tag. If it is absent or unknown: BT.2020 for PQ and HLG, else BT.601
// below 720 rows and 1280 columns, else BT.709. `transfer`: that of the frame, or of the container.
int mediatool_frame_matrix(const AVFrame *frame, int transfer);

// Whether black is 0 and white the highest level. Without a tag only for RGB and for formats whose name states it.
bool mediatool_frame_is_full_range(const AVFrame *frame);

// The rows of a frame to show, in the form that libswscale expects; of an interlaced frame the first field. The two
// fields are 1/50 s apart, so motion would show combing, and half of the rows is enough for a thumbnail.
typedef struct {
  const uint8_t *data[4];
  int strides[4];
  int height;
} mediatool_field;
mediatool_field mediatool_frame_shown_field(const AVFrame *frame);

// The peak of the video in cd/m², which tone mapping makes white: that of its content, else that of its mastering
// display; 0 if unknown.
double mediatool_frame_peak(const AVFrame *frame, const AVStream *stream);

#endif
