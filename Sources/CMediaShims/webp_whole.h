// Private to the shims: animated WebP that ends too early.
#ifndef MEDIATOOL_WEBP_WHOLE_H
#define MEDIATOOL_WEBP_WHOLE_H

#include <vips/vips.h>

// A file of the frames that are there to their last byte, and their number: libwebp's demuxer refuses all of them when the last one
// is cut off. Null for a still, which is refused as well, and when not one frame is whole.
VipsSource *mediatool_webp_whole_frames(VipsSource *source, int *frames);

#endif
