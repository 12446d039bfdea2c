// zlib streams inside other files (PNG's iCCP, zTXt, iTXt): inflated into a buffer whose size the caller has chosen, so that
// a few bytes cannot grow into gigabytes.
#ifndef MEDIATOOL_INFLATE_H
#define MEDIATOOL_INFLATE_H

#include <stddef.h>
#include <stdint.h>

#pragma clang assume_nonnull begin

// Inflates up to capacity bytes and returns how many there are. What comes before a fault, a missing checksum or the end of a
// truncated stream still counts: metadata is worth reading as far as it goes. 0 for no zlib stream or too little memory.
size_t mediatool_inflate(const uint8_t *_Nullable source, size_t length, uint8_t *_Nullable out, size_t capacity);

#pragma clang assume_nonnull end
#endif
