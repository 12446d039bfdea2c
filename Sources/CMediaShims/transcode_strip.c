#include "transcode_strip.h"

#include <libavutil/intreadwrite.h>
#include <stdbool.h>
#include <string.h>

static bool is_box(const uint8_t *bytes, const char *type) { return !memcmp(bytes + 4, type, 4); }

// The size of a box within the remaining bytes; 0 if it is invalid. Untrusted files are read by ISOBaseMedia in
// Swift. This code sees only what libavformat has just written into its own buffer, and knows the few forms that it
// writes.
static int64_t box_size(const uint8_t *bytes, int64_t left) {
  if (left < 8) return 0;
  uint32_t size = AV_RB32(bytes);
  return size >= 8 && size <= left ? size : 0;
}

// The boxes of H.263 and AMR contain the vendor of the encoder, and libavformat writes its own. It always writes
// H.263 level 10 (3GPP TS 26.244, 6.7 and 6.8).
static void clean_samples(uint8_t *bytes, int64_t size, int h263_level) {
  static const char maker[] = {'F', 'F', 'M', 'P'};
  for (int64_t i = 0; i + 16 <= size; i++) {
    bool is_video = is_box(bytes + i, "d263");
    if ((!is_video && !is_box(bytes + i, "damr")) || memcmp(bytes + i + 8, maker, sizeof maker)) continue;
    memset(bytes + i + 8, 0, sizeof maker);
    // After the vendor come the version of its decoder and the level.
    if (is_video) bytes[i + 13] = (uint8_t)h263_level;
  }
}

void strip_file(uint8_t *bytes, int64_t size, int h263_level) {
  for (int64_t at = 0, length; (length = box_size(bytes + at, size - at)) > 0; at += length) {
    if (!is_box(bytes + at, "moov")) continue;
    int64_t end = at + length;
    for (int64_t child = at + 8, inner; (inner = box_size(bytes + child, end - child)) > 0; child += inner) {
      if (is_box(bytes + child, "trak")) clean_samples(bytes + child, inner, h263_level);
      if (!is_box(bytes + child, "udta")) continue;
      // An empty tag list. It becomes a `free` box, because removing it would invalidate the offsets in the index.
      memcpy(bytes + child + 4, "free", 4);
      memset(bytes + child + 8, 0, (size_t)(inner - 8));
    }
  }
}

static int bit_at(const uint8_t *bytes, int64_t at) { return bytes[at >> 3] >> (7 - (at & 7)) & 1; }

static int bits_at(const uint8_t *bytes, int64_t at, int count) {
  int value = 0;
  for (int i = 0; i < count; i++) value = value << 1 | bit_at(bytes, at + i);
  return value;
}

static void clear_bits(uint8_t *bytes, int64_t from, int64_t to) {
  for (int64_t at = from; at < to; at++) bytes[at >> 3] &= (uint8_t) ~(1 << (7 - (at & 7)));
}

// The fill elements before the audio of a frame (ISO/IEC 14496-3, 4.4.2.7), where encoders write their names, are
// replaced by zeros. Elements after the audio could only be found by decoding it.
int strip_aac(AVPacket *packet) {
  enum { fill = 6, maximum = 16 };
  int64_t at = 0, end = (int64_t)packet->size * 8;
  for (int i = 0; i < maximum && at + 19 <= end && bits_at(packet->data, at, 3) == fill; i++) {
    int64_t count = bits_at(packet->data, at + 3, 4);
    at += 7;
    if (count == 15) {
      count += bits_at(packet->data, at, 8) - 1;
      at += 8;
    }
    int64_t next = at + count * 8;
    if (next > end) return 0;
    // Types 0 and 1 are padding; others are part of the audio.
    if (count > 0 && bits_at(packet->data, at, 4) <= 1) {
      int error = av_packet_make_writable(packet);
      if (error < 0) return error;
      clear_bits(packet->data, at, next);
    }
    at = next;
  }
  return 0;
}
