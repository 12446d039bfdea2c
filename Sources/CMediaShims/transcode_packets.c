#include "transcode_packets.h"

#include <libavutil/mem.h>

bool packet_list_append(packet_list *list, AVPacket *packet) {
  if (list->count == list->capacity) {
    int capacity = list->capacity ? list->capacity * 2 : 256;
    AVPacket **items = av_realloc_array(list->items, (size_t)capacity, sizeof *items);
    if (!items) return false;
    list->items = items;
    list->capacity = capacity;
  }
  // The packet's memory may be part of a larger buffer.
  AVPacket *copy = av_packet_alloc();
  if (!copy || av_packet_make_refcounted(packet) < 0) {
    av_packet_free(&copy);
    return false;
  }
  av_packet_move_ref(copy, packet);
  list->items[list->count++] = copy;
  list->bytes += copy->size;
  return true;
}

void packet_list_free(packet_list *list) {
  for (int i = 0; i < list->count; i++) av_packet_free(&list->items[i]);
  av_freep(&list->items);
  *list = (packet_list){0};
}
