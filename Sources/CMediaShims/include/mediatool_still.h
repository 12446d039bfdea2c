// Decodes stills for which libvips has no trusted loader, with a named decoder of libavcodec: BMP, QOI, TGA, PSD.
#ifndef MEDIATOOL_STILL_H
#define MEDIATOOL_STILL_H

#include <stdbool.h>
#include <stdint.h>

#include "mediatool_vips.h"

#pragma clang assume_nonnull begin

// Decodes the whole source as one packet of that codec into 8-bit RGBA. Larger images than max_pixels are refused by the
// decoder before it allocates them.
mediatool_vips_status mediatool_still_decode(
  VipsSource *source, const char *codec, int64_t max_pixels, VipsImage *_Nullable *_Nonnull out,
  mediatool_vips_error *error);

// Whether libavcodec was built with that decoder.
bool mediatool_still_has_decoder(const char *codec);

#pragma clang assume_nonnull end
#endif
