// Private to the shims: a list of encoded packets.
#ifndef MEDIATOOL_TRANSCODE_PACKETS_H
#define MEDIATOOL_TRANSCODE_PACKETS_H

#include <libavcodec/packet.h>
#include <stdbool.h>

// Encoded packets in memory, up to a limit.
typedef struct {
  AVPacket **items;
  int count, capacity;
  int64_t bytes;
} packet_list;

// Takes the packet's data, and leaves the packet empty.
bool packet_list_append(packet_list *list, AVPacket *packet);
void packet_list_free(packet_list *list);

#endif
