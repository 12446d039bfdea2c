#include <libavutil/imgutils.h>
#include <libavutil/pixdesc.h>
#include <libswscale/swscale.h>
#include <math.h>

#include "frame_color.h"
#include "mediatool_pixels.h"
#include "mediatool_tone_map.h"
#include "primaries.h"
#include "vips_error.h"
#include "video.h"

static int fail(mediatool_vips_error *error, const char *text) {
  g_strlcpy(error->text, text, sizeof error->text);
  return -1;
}

// The transfer function that the frames state, else that of the container.
static int transfer_of(const mediatool_video *video) {
  int transfer = (int)video->best->color_trc;
  if (transfer == AVCOL_TRC_UNSPECIFIED) transfer = (int)video->stream->codecpar->color_trc;
  return transfer == AVCOL_TRC_UNSPECIFIED ? video->options.transfer : transfer;
}

// Scales and converts the pixel format in one pass.
static bool convert(
  const mediatool_video *video, enum AVPixelFormat layout, int width, int height, uint8_t *pixels, int stride) {
  const AVFrame *frame = video->best;
  mediatool_field source = mediatool_frame_shown_field(frame);
  // For large reductions, area averaging has no aliasing and is fastest; the last step to the requested size is Lanczos, by libvips.
  // Otherwise chroma, which has half as many rows, would have visible steps.
  bool halves = width * 2 <= frame->width && height * 2 <= source.height;
  int flags = (halves ? SWS_AREA : SWS_BICUBIC | SWS_FULL_CHR_H_INP) | SWS_ACCURATE_RND | SWS_BITEXACT | SWS_FULL_CHR_H_INT;
  struct SwsContext *sws = sws_getContext(
    frame->width, source.height, (enum AVPixelFormat)frame->format, width, height, layout, flags, NULL, NULL, NULL);
  if (!sws) return false;
  const int *coefficients = sws_getCoefficients(mediatool_frame_matrix(frame, transfer_of(video)));
  sws_setColorspaceDetails(
    sws, coefficients, mediatool_frame_is_full_range(frame), coefficients, 1, 0, 1 << 16, 1 << 16);
  uint8_t *planes[4] = {pixels};
  int strides[4] = {stride};
  int rows = sws_scale(sws, source.data, source.strides, 0, source.height, planes, strides);
  sws_freeContext(sws);
  return rows == height;
}

static int primaries_of(const mediatool_video *video) {
  int primaries = (int)video->best->color_primaries;
  return primaries == AVCOL_PRI_UNSPECIFIED ? (int)video->stream->codecpar->color_primaries : primaries;
}

static bool map_light(const mediatool_video *video, int width, int height, uint8_t *pixels) {
  size_t count = (size_t)width * (size_t)height;
  mediatool_tone_map_options options = {
    .transfer = transfer_of(video), .primaries = primaries_of(video), .peak = mediatool_frame_peak(video->best, video->stream)};
  mediatool_tone_map *map = mediatool_tone_map_new(options);
  uint16_t *signals = av_malloc_array(count, 8);
  bool done =
    map && signals && convert(video, AV_PIX_FMT_RGBA64, width, height, (uint8_t *)signals, width * 8);
  if (done) mediatool_tone_map_pixels(map, signals, pixels, count, 4);
  av_free(signals);
  mediatool_tone_map_free(map);
  return done;
}

int mediatool_video_image(
  const mediatool_video *video, int width, int height, VipsImage **out, mediatool_vips_error *error) {
  *out = NULL;
  const AVFrame *frame = video->best;
  if (!frame->data[0]) return fail(error, "no frame to convert");
  if (width < 1 || height < 1 || width > INT_MAX / 16 / height) return fail(error, "invalid output size");
  uint8_t *pixels = g_try_malloc((gsize)width * (gsize)height * 4);
  if (!pixels) return fail(error, "out of memory");
  bool is_high = mediatool_tone_map_knows(transfer_of(video));
  bool done = is_high ? map_light(video, width, height, pixels)
                      : convert(video, AV_PIX_FMT_RGBA, width, height, pixels, width * 4);
  if (!done) {
    g_free(pixels);
    return fail(error, "unknown pixel format");
  }
  if (!is_high) mediatool_primaries_to_srgb(primaries_of(video), pixels, (size_t)width * (size_t)height);
  int result = mediatool_vips_from_rgba(pixels, width, height, height, NULL, out, error);
  if (result || mediatool_frame_has_alpha(frame)) return result;
  VipsImage *opaque = NULL;
  result = mediatool_vips_check(vips_extract_band(*out, &opaque, 0, "n", 3, NULL), error);
  g_object_unref(*out);
  *out = opaque;
  return result;
}
