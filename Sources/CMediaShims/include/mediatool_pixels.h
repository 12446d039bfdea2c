// Frames of libavcodec as RGBA pixels.
#ifndef MEDIATOOL_PIXELS_H
#define MEDIATOOL_PIXELS_H

#include <libavutil/frame.h>
#include <stdbool.h>
#include <stdint.h>

#pragma clang assume_nonnull begin

// Writes frame->width × frame->height straight RGBA pixels, 4 bytes each, rows without gaps. The matrix and the range
// are those that the frame states; without a statement it is BT.709 from 720 rows or 1280 columns on, else BT.601,
// limited range, as in players. A PQ or HLG frame is mapped to sRGB (mediatool_tone_map.h), which needs 8 more bytes
// per pixel. False if libswscale does not support the pixel format, or memory is short.
bool mediatool_frame_to_rgba(const AVFrame *frame, uint8_t *pixels);

// Whether the frame's pixel format has alpha.
bool mediatool_frame_has_alpha(const AVFrame *frame);

#pragma clang assume_nonnull end
#endif
