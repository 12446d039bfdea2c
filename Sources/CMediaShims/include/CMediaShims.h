// Non-variadic functions over the C libraries. All names begin with mediatool_, so that grep finds every call from
// Swift to C.
#ifndef CMEDIASHIMS_H
#define CMEDIASHIMS_H

#include "mediatool_avio.h"
#include "mediatool_frames.h"
#include "mediatool_inflate.h"
#include "mediatool_input.h"
#include "mediatool_pdf.h"
#include "mediatool_pixels.h"
#include "mediatool_similarity.h"
#include "mediatool_audio.h"
#include "mediatool_still.h"
#include "mediatool_tone_map.h"
#include "mediatool_transcode.h"
#include "mediatool_video.h"
#include "mediatool_vips.h"

#endif
