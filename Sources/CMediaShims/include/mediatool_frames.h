// Animations of which libvips decodes only the first frame: animated PNG, AVIF and HEIC sequences.
#ifndef MEDIATOOL_FRAMES_H
#define MEDIATOOL_FRAMES_H

#include <stdbool.h>
#include <stdint.h>

#include "mediatool_input.h"
#include "mediatool_vips.h"

#pragma clang assume_nonnull begin

typedef struct {
  const char *demuxer;   // of libavformat
  const char *decoders;  // of libavcodec, comma separated
  int track;             // the container's number of the stream with the frames; 0: the one with the most frames
  int alpha_track;       // of the stream with their alpha as grey; 0: none
  bool premultiplied;    // whether the colors are multiplied by alpha
  int first_frame;       // frames before it are decoded and dropped
  int max_frames;
  int64_t max_pixels;  // of all frames together
} mediatool_frames_options;

// Decodes the frames into one tall RGBA image with their delays. Needs 4 bytes per pixel of all frames.
int mediatool_frames_decode(
  mediatool_input *input, const mediatool_frames_options *options, VipsImage *_Nullable *_Nonnull out,
  mediatool_vips_error *error);

#pragma clang assume_nonnull end
#endif
