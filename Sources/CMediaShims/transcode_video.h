// Private to the shims: frames to encoded video.
#ifndef MEDIATOOL_TRANSCODE_VIDEO_H
#define MEDIATOOL_TRANSCODE_VIDEO_H

#include "transcode.h"

mediatool_transcode_status video_start(transcoder *t);
int video_take(transcoder *t, const AVFrame *frame);
// Encodes t->image, whose timestamp is in these units.
int video_encode(transcoder *t);
int video_end(transcoder *t);
AVRational video_time_base(const transcoder *t);

#endif
