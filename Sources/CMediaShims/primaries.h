// Private to the shims: wide primaries with standard dynamic range, which would look pale if they were treated as
// sRGB.
#ifndef MEDIATOOL_PRIMARIES_H
#define MEDIATOOL_PRIMARIES_H

#include <stddef.h>
#include <stdint.h>

// The matrix, row by row, from BT.2020 or Display P3 to linear light of BT.709 and sRGB, all with the white point D65
// (ITU-R BT.2087, SMPTE RP 177); null for any other number.
const float *mediatool_primaries_matrix(int primaries);

// Converts RGBA pixels in place from BT.2020 or Display P3 (numbers of ITU-T H.273); others stay unchanged, because
// the other primaries of videos are close to those of sRGB.
void mediatool_primaries_to_srgb(int primaries, uint8_t *pixels, size_t count);

#endif
