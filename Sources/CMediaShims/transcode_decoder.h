// Private to the shims: the decoder of a track.
#ifndef MEDIATOOL_TRANSCODE_DECODER_H
#define MEDIATOOL_TRANSCODE_DECODER_H

#include "transcode.h"

// Creates a decoder, if an allowed one exists.
mediatool_transcode_status transcoder_open_decoder(const transcoder *t, track *track);

#endif
