// Private to the shims: packets that are copied without re-encoding.
#ifndef MEDIATOOL_TRANSCODE_COPY_H
#define MEDIATOOL_TRANSCODE_COPY_H

#include "transcode.h"

mediatool_transcode_status copy_start(transcoder *t, track *track);
int copy_take(transcoder *t, track *track, AVPacket *packet);

#endif
