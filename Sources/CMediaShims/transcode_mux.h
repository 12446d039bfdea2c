// Private to the shims: writes encoded tracks to a file.
#ifndef MEDIATOOL_TRANSCODE_MUX_H
#define MEDIATOOL_TRANSCODE_MUX_H

#include "transcode.h"

// Writes both tracks. Returns an AVERROR; ENOSPC if the file exceeds the limit.
int transcoder_mux(transcoder *t, mediatool_transcode_result *result);

#endif
