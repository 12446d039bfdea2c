// Private to the shims: conversion of decoded frames for the encoder: small, upright, 8 bits, 4:2:0.
#ifndef MEDIATOOL_TRANSCODE_FRAMES_H
#define MEDIATOOL_TRANSCODE_FRAMES_H

#include <libswscale/swscale.h>

#include "mediatool_tone_map.h"
#include "transcode_deinterlace.h"

typedef struct {
  struct SwsContext *scaler, *finisher;
  mediatool_tone_map *light;
  int light_transfer, light_primaries;
  AVFrame *scaled;   // before rotation
  deinterlacer deinterlacer;
  uint8_t *signals;  // 16-bit RGBA of HDR frames
  uint8_t *pixels;   // 8-bit RGBA of frames converted by way of sRGB
  struct {
    int format, width, height, matrix, layout;
    bool is_full;
  } prepared;  // the format for which the scaler was created
} frame_converter;

typedef struct {
  int width, height;   // upright
  int shown_width, shown_height;  // the part that the video occupies
  int orientation;     // EXIF orientation
  int matrix;          // SWS_CS_… of the output; 0 to keep the source's
  int transfer;        // of frames that state none
  int primaries;       // likewise
  double peak;         // of the light in cd/m²; 0 if unknown
} frame_options;

// Converts the frame into a new image with color tags. Returns an AVERROR.
int frame_convert(frame_converter *converter, const AVFrame *frame, const frame_options *options, AVFrame *image);
void frame_converter_free(frame_converter *converter);

#endif
