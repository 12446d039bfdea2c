// Private to the shims: encoded tracks to a file.
#ifndef MEDIATOOL_TRANSCODE_MUX_H
#define MEDIATOOL_TRANSCODE_MUX_H

#include "transcode.h"

// Writes both tracks. An AVERROR; ENOSPC where it is more than allowed.
int transcoder_mux(transcoder *t, mediatool_transcode_result *result);

#endif
