// Private to the shims: decoded frames as the encoder takes them: small, upright, 8 bits, 4:2:0.
#ifndef MEDIATOOL_TRANSCODE_FRAMES_H
#define MEDIATOOL_TRANSCODE_FRAMES_H

#include <libswscale/swscale.h>

#include "mediatool_tone_map.h"
#include "transcode_deinterlace.h"

typedef struct {
  struct SwsContext *scaler, *finisher;
  mediatool_tone_map *light;
  int light_transfer, light_primaries;
  AVFrame *scaled;   // not yet turned
  deinterlacer deinterlacer;
  uint8_t *signals;  // 16-bit RGBA of a high range
  uint8_t *pixels;   // 8-bit RGBA of one that goes through sRGB
  struct {
    int format, width, height, matrix, layout;
    bool is_full;
  } prepared;  // the frames that the scaler fits
} frame_converter;

typedef struct {
  int width, height;   // upright
  int shown_width, shown_height;  // of it the video's
  int orientation;     // EXIF's
  int matrix;          // SWS_CS_… of the output; 0 to keep the source's
  int transfer;        // that of the source where its frames do not say
  int primaries;       // likewise
  double peak;         // of its light in cd/m²; 0 for unknown
} frame_options;

// Converts the frame into a new image; its colors are tagged. An AVERROR.
int frame_convert(frame_converter *converter, const AVFrame *frame, const frame_options *options, AVFrame *image);
void frame_converter_free(frame_converter *converter);

#endif
