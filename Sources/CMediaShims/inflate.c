#include "mediatool_inflate.h"

#include <limits.h>
#include <zlib.h>

size_t mediatool_inflate(const uint8_t *source, size_t length, uint8_t *out, size_t capacity) {
  if (!source || !out || length == 0 || capacity == 0) return 0;
  z_stream stream = {0};
  if (inflateInit(&stream) != Z_OK) return 0;
  // zlib counts in 32 bits; nothing here needs more.
  stream.next_in = (Bytef *)source;
  stream.avail_in = length > UINT_MAX ? UINT_MAX : (uInt)length;
  stream.next_out = out;
  stream.avail_out = capacity > UINT_MAX ? UINT_MAX : (uInt)capacity;
  uInt room = stream.avail_out;
  // One call does it: it returns at the end of the input, the end of the room or the first fault.
  (void)inflate(&stream, Z_SYNC_FLUSH);
  size_t produced = room - stream.avail_out;
  inflateEnd(&stream);
  return produced;
}
