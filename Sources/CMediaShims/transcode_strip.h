// Private to the shims: removes the names of programs from their output.
#ifndef MEDIATOOL_TRANSCODE_STRIP_H
#define MEDIATOOL_TRANSCODE_STRIP_H

#include <libavcodec/packet.h>

// Removes from a file, and from a frame of AAC, the name of the program that wrote it. Sets the level of H.263.
void strip_file(uint8_t *bytes, int64_t size, int h263_level);
int strip_aac(AVPacket *packet);

#endif
