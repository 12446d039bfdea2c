// Private to the shims: truncated animations in WebP.
#ifndef MEDIATOOL_WEBP_COMPLETE_H
#define MEDIATOOL_WEBP_COMPLETE_H

#include <vips/vips.h>

// Makes a file of the complete frames, and returns their number: the demuxer of libwebp refuses all frames if the
// last one is truncated. Null for a still, and if no frame is complete.
VipsSource *mediatool_webp_complete_frames(VipsSource *source, int *frames);

#endif
