// Private to the shims: deinterlacing.
#ifndef MEDIATOOL_TRANSCODE_DEINTERLACE_H
#define MEDIATOOL_TRANSCODE_DEINTERLACE_H

#include <libavutil/frame.h>

typedef struct {
  AVFrame *previous;  // the previous frame as decoded
  AVFrame *output;
} deinterlacer;

// The fields of an interlaced frame are 1/50 s apart, so motion shows combing. Returns the frame at the time of its
// first field, with all rows where nothing moves. A progressive frame, or one in a pixel format that interlaced
// videos hardly use, is returned unchanged. Null if memory is short.
const AVFrame *deinterlace(deinterlacer *d, const AVFrame *frame);
void deinterlacer_free(deinterlacer *d);

#endif
