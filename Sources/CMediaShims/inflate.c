#include "mediatool_inflate.h"

#include <limits.h>
#include <zlib.h>

size_t mediatool_inflate(const uint8_t *source, size_t length, uint8_t *out, size_t capacity) {
  if (!source || !out || length == 0 || capacity == 0) return 0;
  z_stream stream = {0};
  if (inflateInit(&stream) != Z_OK) return 0;
  // zlib uses 32-bit sizes, which is enough here.
  stream.next_in = (Bytef *)source;
  stream.avail_in = length > UINT_MAX ? UINT_MAX : (uInt)length;
  stream.next_out = out;
  stream.avail_out = capacity > UINT_MAX ? UINT_MAX : (uInt)capacity;
  uInt room = stream.avail_out;
  // One call is enough: it returns at the end of the input, at the end of the buffer or at the first error.
  (void)inflate(&stream, Z_SYNC_FLUSH);
  size_t produced = room - stream.avail_out;
  inflateEnd(&stream);
  return produced;
}
