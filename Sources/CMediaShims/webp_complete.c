#include "webp_complete.h"

#include <stdint.h>
#include <string.h>

// RFC 9649, 2.3 and 2.7.1: "RIFF", the size of the rest, "WEBP", then chunks with a name, a length and bytes padded
// to an even length.
enum { riff_header = 12, chunk_header = 8 };

static uint32_t number(const uint8_t *bytes) {
  return (uint32_t)bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 | (uint32_t)bytes[3] << 24;
}

VipsSource *mediatool_webp_complete_frames(VipsSource *source, int *frames) {
  size_t length = 0, at = riff_header;
  const uint8_t *bytes = vips_source_map(source, &length);
  *frames = 0;
  if (!bytes || length < riff_header + chunk_header || memcmp(bytes + riff_header, "VP8X", 4) != 0) return NULL;
  while (length - at >= chunk_header) {
    uint64_t size = number(bytes + at + 4);
    size += size & 1;
    if (size > length - at - chunk_header) break;
    if (memcmp(bytes + at, "ANMF", 4) == 0 && ++*frames == INT32_MAX) return NULL;
    at += chunk_header + (size_t)size;
  }
  if (*frames == 0) return NULL;
  uint8_t *complete = g_try_malloc(at);
  if (!complete) return NULL;
  memcpy(complete, bytes, at);
  uint32_t size = (uint32_t)(at - chunk_header);
  for (int i = 0; i < 4; i++) complete[4 + i] = (uint8_t)(size >> 8 * i);
  VipsBlob *blob = vips_blob_new((VipsCallbackFn)vips_area_free_cb, complete, at);
  VipsSource *result = vips_source_new_from_blob(blob);
  vips_area_unref((VipsArea *)blob);
  return result;
}
