// How much of an image can still be seen in a smaller file of it.
#ifndef MEDIATOOL_SIMILARITY_H
#define MEDIATOOL_SIMILARITY_H

#include <stddef.h>
#include <stdint.h>
#include <vips/vips.h>

#include "mediatool_vips.h"

#pragma clang assume_nonnull begin

// The structural similarity (SSIM: Wang, Bovik, Sheikh, Simoncelli, IEEE Transactions on Image Processing 13/4, 2004) of two planes of
// 8-bit samples, rows without gaps: 1 for equal ones. Windows of 8 × 8 samples, all alike, one every 4 samples, K1 = 0.01, K2 = 0.03,
// as x264 and FFmpeg's ssim filter compute it, but for C1, of which they have a 64th: that is seen where it is nearly black, in the
// fourth place. A plane with a side below 8 is one window. Up to 3 columns and rows at the right and the bottom are in no window. Sides
// above 0.
double mediatool_similarity(const uint8_t *one, const uint8_t *other, int width, int height);

// The luma of an image of 8-bit sRGB or grey, transparent parts white, brought to that size: BT.601's, as JPEG has it. What is smaller is
// enlarged as displays do it, bilinearly. The first frame of an animation. Freed with g_free.
int mediatool_vips_luma(
  VipsImage *in, int width, int height, uint8_t *_Nullable *_Nonnull luma, mediatool_vips_error *error);

// The same of a file in memory.
int mediatool_vips_luma_of_file(
  const void *bytes, size_t length, mediatool_loader loader, int width, int height, uint8_t *_Nullable *_Nonnull luma,
  mediatool_vips_error *error);

#pragma clang assume_nonnull end
#endif
