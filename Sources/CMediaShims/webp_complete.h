// Private to the shims: animated WebP that ends too early.
#ifndef MEDIATOOL_WEBP_COMPLETE_H
#define MEDIATOOL_WEBP_COMPLETE_H

#include <vips/vips.h>

// A file of the frames that are there to their last byte, and their number: libwebp's demuxer refuses all of them when the last one
// is cut off. Null for a still, which is refused as well, and when not one frame is complete.
VipsSource *mediatool_webp_complete_frames(VipsSource *source, int *frames);

#endif
