#include <limits.h>
#include <zlib.h>

#include "CPageFiles.h"

size_t mediatool_page_file_gzip(mediatool_page_file file, unsigned char *buffer, size_t capacity) {
  // zlib uses 32-bit sizes, which is enough for files of the program itself.
  if (file.count > UINT_MAX || capacity > UINT_MAX) return 0;
  z_stream stream = {0};
  // 15 is the largest window; 16 more make it gzip, without a name and a time, so that the bytes are the same in each process.
  if (deflateInit2(&stream, Z_BEST_COMPRESSION, Z_DEFLATED, 15 + 16, 9, Z_DEFAULT_STRATEGY) != Z_OK) return 0;
  // zlib only reads the input, which it declares as not constant without ZLIB_CONST.
  stream.next_in = (unsigned char *)file.bytes;
  stream.avail_in = (unsigned int)file.count;
  stream.next_out = buffer;
  stream.avail_out = (unsigned int)capacity;
  int result = deflate(&stream, Z_FINISH);
  size_t count = stream.total_out;
  deflateEnd(&stream);
  return result == Z_STREAM_END ? count : 0;
}
