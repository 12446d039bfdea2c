// Inflates zlib streams in other files (iCCP, zTXt and iTXt of PNG) into a buffer with a size that the caller
// chooses, so that a few bytes cannot grow into gigabytes.
#ifndef MEDIATOOL_INFLATE_H
#define MEDIATOOL_INFLATE_H

#include <stddef.h>
#include <stdint.h>

#pragma clang assume_nonnull begin

// Inflates up to capacity bytes and returns their number. Bytes before an error, a missing checksum or the end of a
// truncated stream count too, because partial metadata is useful. 0 if there is no zlib stream or too little memory.
size_t mediatool_inflate(const uint8_t *_Nullable source, size_t length, uint8_t *_Nullable out, size_t capacity);

#pragma clang assume_nonnull end
#endif
