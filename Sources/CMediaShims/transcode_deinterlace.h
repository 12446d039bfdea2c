// Private to the shims: one moment of an interlaced frame.
#ifndef MEDIATOOL_TRANSCODE_DEINTERLACE_H
#define MEDIATOOL_TRANSCODE_DEINTERLACE_H

#include <libavutil/frame.h>

typedef struct {
  AVFrame *previous;  // the last frame as it was decoded
  AVFrame *output;
} deinterlacer;

// An interlaced frame is two moments a fiftieth of a second apart, whose lines tear what moves: the same frame in the first of them, with all the
// rows where nothing moves. A frame that is not interlaced, or of a layout that interlaced videos hardly have, is returned unchanged. Null when
// memory is short.
const AVFrame *deinterlace(deinterlacer *d, const AVFrame *frame);
void deinterlacer_free(deinterlacer *d);

#endif
