// Private to the shims: the packets written so far, and what they will come to.
#ifndef MEDIATOOL_TRANSCODE_OUTPUT_H
#define MEDIATOOL_TRANSCODE_OUTPUT_H

#include "transcode.h"

// Time of the video in ticks; false for one that is unknown or beyond belief.
bool transcoder_time(const transcoder *t, int64_t time, AVRational base, int64_t *ticks);
// The end of the video as the options have it, in ticks.
int64_t transcoder_end(const transcoder *t);
// The projected bytes of the video; 0 while they cannot be predicted.
int64_t transcoder_projected(const transcoder *t);
// Adds a packet in units of the track's time base. AVERROR(ENOSPC) where it is more than allowed.
int transcoder_add(transcoder *t, track *track, AVPacket *packet);
// The result so far, without the file.
mediatool_transcode_result transcoder_summary(const transcoder *t);

#endif
