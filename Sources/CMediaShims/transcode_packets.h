// Private to the shims: a list of encoded packets.
#ifndef MEDIATOOL_TRANSCODE_PACKETS_H
#define MEDIATOOL_TRANSCODE_PACKETS_H

#include <libavcodec/packet.h>
#include <stdbool.h>

// Encoded packets in memory, never more than a limit.
typedef struct {
  AVPacket **items;
  int count, capacity;
  int64_t bytes;
} packet_list;

// Takes over the packet's data, and leaves it empty.
bool packet_list_append(packet_list *list, AVPacket *packet);
void packet_list_free(packet_list *list);

#endif
