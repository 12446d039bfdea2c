// Private to the shims: wide primaries of a standard dynamic range, which would look pale when taken for those of sRGB.
#ifndef MEDIATOOL_PRIMARIES_H
#define MEDIATOOL_PRIMARIES_H

#include <stddef.h>
#include <stdint.h>

// To linear light of BT.709 and sRGB, row by row, from BT.2020 and Display P3, all with the white point D65 (ITU-R BT.2087, SMPTE RP 177); for
// any other number null.
const float *mediatool_primaries_matrix(int primaries);

// Converts RGBA pixels in place from BT.2020 or Display P3 (numbers of ITU-T H.273); those of other primaries stay, for none that
// videos use is far from sRGB's.
void mediatool_primaries_to_srgb(int primaries, uint8_t *pixels, size_t count);

#endif
