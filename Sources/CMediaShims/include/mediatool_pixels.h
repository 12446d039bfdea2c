// Frames of libavcodec as RGBA pixels.
#ifndef MEDIATOOL_PIXELS_H
#define MEDIATOOL_PIXELS_H

#include <libavutil/frame.h>
#include <stdbool.h>
#include <stdint.h>

#pragma clang assume_nonnull begin

// Writes frame->width × frame->height straight RGBA pixels, 4 bytes each, rows without gaps. The matrix and the range are those
// that the frame states; one that states none is BT.709 from 720 rows or 1280 columns on, else BT.601, limited, as players take it.
// A frame that states PQ or HLG is mapped to sRGB (mediatool_tone_map.h), for which it needs 8 bytes a pixel beside.
// False when libswscale does not know the layout, or memory is short.
bool mediatool_frame_to_rgba(const AVFrame *frame, uint8_t *pixels);

// Whether the frame's layout carries alpha.
bool mediatool_frame_has_alpha(const AVFrame *frame);

#pragma clang assume_nonnull end
#endif
