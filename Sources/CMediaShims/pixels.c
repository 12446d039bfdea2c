#include "mediatool_pixels.h"

#include <libavutil/mastering_display_metadata.h>
#include <libavutil/mem.h>
#include <libavutil/pixdesc.h>
#include <libswscale/swscale.h>

#include "frame_color.h"
#include "mediatool_avio.h"
#include "mediatool_tone_map.h"

int mediatool_frame_matrix(const AVFrame *frame, int transfer) {
  switch (frame->colorspace) {
  case AVCOL_SPC_BT709: return SWS_CS_ITU709;
  case AVCOL_SPC_BT470BG:
  case AVCOL_SPC_SMPTE170M: return SWS_CS_ITU601;
  case AVCOL_SPC_SMPTE240M: return SWS_CS_SMPTE240M;
  case AVCOL_SPC_FCC: return SWS_CS_FCC;
  case AVCOL_SPC_BT2020_NCL:
  case AVCOL_SPC_BT2020_CL: return SWS_CS_BT2020;
  default:
    if (mediatool_tone_map_knows(transfer)) return SWS_CS_BT2020;
    return frame->height >= 720 || frame->width >= 1280 ? SWS_CS_ITU709 : SWS_CS_ITU601;
  }
}

bool mediatool_frame_is_full_range(const AVFrame *frame) {
  switch (frame->format) {
  case AV_PIX_FMT_YUVJ420P:
  case AV_PIX_FMT_YUVJ422P:
  case AV_PIX_FMT_YUVJ444P:
  case AV_PIX_FMT_YUVJ411P:
  case AV_PIX_FMT_YUVJ440P: return true;
  default: return frame->color_range == AVCOL_RANGE_JPEG;
  }
}

mediatool_field mediatool_frame_shown_field(const AVFrame *frame) {
  bool is_split = frame->interlaced_frame && frame->height >= 4;
  mediatool_field field = {.height = is_split ? (frame->height + 1) / 2 : frame->height};
  for (int i = 0; i < 4; i++) {
    field.data[i] = frame->data[i];
    field.strides[i] = is_split ? frame->linesize[i] * 2 : frame->linesize[i];
  }
  return field;
}

static double rational(AVRational value) { return value.den ? av_q2d(value) : 0; }

double mediatool_frame_peak(const AVFrame *frame, const AVStream *stream) {
  size_t size = 0;
  const AVFrameSideData *data = av_frame_get_side_data(frame, AV_FRAME_DATA_CONTENT_LIGHT_LEVEL);
  const void *level = data ? data->data : mediatool_av_side_data(stream, AV_PKT_DATA_CONTENT_LIGHT_LEVEL, &size);
  double peak = level ? ((const AVContentLightMetadata *)level)->MaxCLL : 0;
  if (peak <= 0) {
    data = av_frame_get_side_data(frame, AV_FRAME_DATA_MASTERING_DISPLAY_METADATA);
    const AVMasteringDisplayMetadata *display = data
      ? (const AVMasteringDisplayMetadata *)data->data
      : (const AVMasteringDisplayMetadata *)mediatool_av_side_data(stream, AV_PKT_DATA_MASTERING_DISPLAY_METADATA, &size);
    if (display && display->has_luminance) peak = rational(display->max_luminance);
  }
  // Values outside of this range are invalid.
  return peak >= 250 && peak <= 10000 ? peak : 0;
}

bool mediatool_frame_has_alpha(const AVFrame *frame) {
  const AVPixFmtDescriptor *layout = av_pix_fmt_desc_get((enum AVPixelFormat)frame->format);
  // A palette may contain transparent entries.
  return layout && (layout->flags & (AV_PIX_FMT_FLAG_ALPHA | AV_PIX_FMT_FLAG_PAL)) != 0;
}

// Converts only the layout, to RGBA with 8 or 16 bits.
static bool convert(const AVFrame *frame, enum AVPixelFormat layout, uint8_t *pixels, int stride) {
  // The size stays the same, so only chroma is interpolated.
  struct SwsContext *sws = sws_getContext(
    frame->width, frame->height, (enum AVPixelFormat)frame->format, frame->width, frame->height, layout,
    SWS_BILINEAR | SWS_ACCURATE_RND | SWS_FULL_CHR_H_INT | SWS_FULL_CHR_H_INP, NULL, NULL, NULL);
  if (!sws) return false;
  const int *coefficients = sws_getCoefficients(mediatool_frame_matrix(frame, (int)frame->color_trc));
  sws_setColorspaceDetails(sws, coefficients, mediatool_frame_is_full_range(frame), coefficients, 1, 0, 1 << 16, 1 << 16);
  uint8_t *planes[4] = {pixels};
  int strides[4] = {stride};
  int rows = sws_scale(sws, (const uint8_t *const *)frame->data, frame->linesize, 0, frame->height, planes, strides);
  sws_freeContext(sws);
  return rows == frame->height;
}

// The numbers of H.273 are libav's own.
static bool map_light(const AVFrame *frame, uint8_t *pixels) {
  size_t count = (size_t)frame->width * (size_t)frame->height;
  mediatool_tone_map_options options = {.transfer = (int)frame->color_trc, .primaries = (int)frame->color_primaries};
  mediatool_tone_map *map = mediatool_tone_map_new(options);
  uint16_t *signals = av_malloc_array(count, 8);
  bool done = map && signals && convert(frame, AV_PIX_FMT_RGBA64, (uint8_t *)signals, frame->width * 8);
  if (done) mediatool_tone_map_pixels(map, signals, pixels, count, 4);
  av_free(signals);
  mediatool_tone_map_free(map);
  return done;
}

bool mediatool_frame_to_rgba(const AVFrame *frame, uint8_t *pixels) {
  if (mediatool_tone_map_knows((int)frame->color_trc)) return map_light(frame, pixels);
  return convert(frame, AV_PIX_FMT_RGBA, pixels, frame->width * 4);
}
