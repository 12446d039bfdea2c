// Private to the shims: an attempt whose frames are in the cache.
#ifndef MEDIATOOL_TRANSCODE_REPLAY_H
#define MEDIATOOL_TRANSCODE_REPLAY_H

#include "transcode.h"

// Encodes the content of the cache instead of a source.
int replay_cache(transcoder *t);

#endif
