// Private to the shims: samples to encoded audio.
#ifndef MEDIATOOL_TRANSCODE_AUDIO_H
#define MEDIATOOL_TRANSCODE_AUDIO_H

#include "transcode.h"

mediatool_transcode_status audio_start(transcoder *t);
int audio_take(transcoder *t, const AVFrame *frame);  // null at the end

#endif
