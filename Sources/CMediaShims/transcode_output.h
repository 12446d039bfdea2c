// Private to the shims: the packets written so far, and the projected size.
#ifndef MEDIATOOL_TRANSCODE_OUTPUT_H
#define MEDIATOOL_TRANSCODE_OUTPUT_H

#include "transcode.h"

// The time in ticks; false if it is unknown or implausible.
bool transcoder_time(const transcoder *t, int64_t time, AVRational base, int64_t *ticks);
// The end of the video according to the options, in ticks.
int64_t transcoder_end(const transcoder *t);
// The projected bytes of the video; 0 while they cannot be predicted.
int64_t transcoder_projected(const transcoder *t);
// Adds a packet, in units of the track's time base. AVERROR(ENOSPC) if the limit is exceeded.
int transcoder_add(transcoder *t, track *track, AVPacket *packet);
// The result so far, without the file.
mediatool_transcode_result transcoder_summary(const transcoder *t);

#endif
