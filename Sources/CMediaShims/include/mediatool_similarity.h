// How similar an encoded image is to its source.
#ifndef MEDIATOOL_SIMILARITY_H
#define MEDIATOOL_SIMILARITY_H

#include <stddef.h>
#include <stdint.h>
#include <vips/vips.h>

#include "mediatool_vips.h"

#pragma clang assume_nonnull begin

// The structural similarity (SSIM: Wang, Bovik, Sheikh, Simoncelli, IEEE Transactions on Image Processing 13/4, 2004)
// of two planes of 8-bit samples, rows without gaps: 1 for equal ones. Windows of 8 × 8 samples with equal weights,
// one every 4 samples, K1 = 0.01, K2 = 0.03, as x264 and FFmpeg's ssim filter compute it, except for C1, of which
// they use 1/64: the fourth decimal differs where the image is nearly black. A plane with a side below 8 is one
// window. Up to 3 columns and rows at the right and the bottom are in no window. Sides above 0.
double mediatool_similarity(const uint8_t *one, const uint8_t *other, int width, int height);

// The luma (BT.601, as in JPEG) of an 8-bit sRGB or grey image on white, scaled to this size. A smaller image is
// enlarged bilinearly, as on displays. The first frame of an animation. Free it with g_free.
int mediatool_vips_luma(
  VipsImage *in, int width, int height, uint8_t *_Nullable *_Nonnull luma, mediatool_vips_error *error);

// The same for a file in memory.
int mediatool_vips_luma_of_file(
  const void *bytes, size_t length, mediatool_loader loader, int width, int height, uint8_t *_Nullable *_Nonnull luma,
  mediatool_vips_error *error);

#pragma clang assume_nonnull end
#endif
