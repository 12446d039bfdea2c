// Private to the shims: the names of programs, taken out of what they wrote.
#ifndef MEDIATOOL_TRANSCODE_STRIP_H
#define MEDIATOOL_TRANSCODE_STRIP_H

#include <libavcodec/packet.h>

// Takes out of a file, and of a frame of AAC, what says which program wrote it. H.263 gets its level.
void strip_file(uint8_t *bytes, int64_t size, int h263_level);
int strip_aac(AVPacket *packet);

#endif
