#include "transcode_frames.h"

#include <libavutil/imgutils.h>
#include <libavutil/pixdesc.h>

#include "frame_color.h"
#include "primaries.h"

static int transfer_of(const AVFrame *frame, const frame_options *options) {
  int transfer = (int)frame->color_trc;
  return transfer == AVCOL_TRC_UNSPECIFIED || transfer == AVCOL_TRC_RESERVED0 ? options->transfer : transfer;
}

static int primaries_of(const AVFrame *frame, const frame_options *options) {
  int primaries = (int)frame->color_primaries;
  return primaries == AVCOL_PRI_UNSPECIFIED ? options->primaries : primaries;
}

static bool swaps(int orientation) { return orientation >= 5; }

static enum AVColorSpace tag_of(int matrix) { return matrix == SWS_CS_ITU709 ? AVCOL_SPC_BT709 : AVCOL_SPC_SMPTE170M; }

// Creates a scaler for frames of this format, unless the current one fits.
static bool prepare(frame_converter *c, const AVFrame *frame, int width, int height, enum AVPixelFormat layout, int matrix, int out_matrix) {
  bool is_full = mediatool_frame_is_full_range(frame);
  int rows = mediatool_frame_shown_field(frame).height;
  bool is_same = c->scaler && c->prepared.format == frame->format && c->prepared.width == frame->width && c->prepared.height == rows &&
                 c->prepared.matrix == matrix && c->prepared.layout == (int)layout && c->prepared.is_full == is_full;
  if (is_same) return true;
  sws_freeContext(c->scaler);
  // For large reductions, area averaging has no aliasing and is fastest.
  bool halves = width * 2 <= frame->width && height * 2 <= rows;
  int flags = (halves ? SWS_AREA : SWS_BICUBIC) | SWS_ACCURATE_RND | SWS_BITEXACT;
  c->scaler = sws_getContext(
    frame->width, rows, (enum AVPixelFormat)frame->format, width, height, layout, flags, NULL, NULL, NULL);
  if (!c->scaler) return false;
  bool is_rgb_out = layout != AV_PIX_FMT_YUV420P;
  sws_setColorspaceDetails(
    c->scaler, sws_getCoefficients(matrix), is_full, sws_getCoefficients(out_matrix), is_rgb_out, 0, 1 << 16, 1 << 16);
  c->prepared.format = frame->format;
  c->prepared.width = frame->width;
  c->prepared.height = rows;
  c->prepared.matrix = matrix;
  c->prepared.layout = (int)layout;
  c->prepared.is_full = is_full;
  return true;
}

static bool scale(frame_converter *c, const AVFrame *frame, uint8_t *const *planes, const int *strides, int height) {
  mediatool_field field = mediatool_frame_shown_field(frame);
  return sws_scale(c->scaler, field.data, field.strides, 0, field.height, planes, strides) == height;
}

// Converts by way of sRGB what a standard display cannot show: high dynamic range and wide primaries.
static bool scale_through_rgb(frame_converter *c, const AVFrame *frame, const frame_options *o, int matrix) {
  AVFrame *out = c->scaled;
  int width = out->width, height = out->height, transfer = transfer_of(frame, o), primaries = primaries_of(frame, o);
  size_t count = (size_t)width * (size_t)height;
  if (!c->pixels) c->pixels = av_malloc_array(count, 4);
  if (!c->pixels) return false;
  if (mediatool_tone_map_knows(transfer)) {
    if (!c->light || c->light_transfer != transfer || c->light_primaries != primaries) {
      mediatool_tone_map_free(c->light);
      c->light = mediatool_tone_map_new((mediatool_tone_map_options){.transfer = transfer, .primaries = primaries, .peak = o->peak});
      c->light_transfer = transfer;
      c->light_primaries = primaries;
    }
    if (!c->signals) c->signals = av_malloc_array(count, 8);
    if (!c->light || !c->signals || !prepare(c, frame, width, height, AV_PIX_FMT_RGBA64, matrix, SWS_CS_DEFAULT)) return false;
    if (!scale(c, frame, (uint8_t *[4]){c->signals}, (int[4]){width * 8}, height)) return false;
    mediatool_tone_map_pixels(c->light, (const uint16_t *)c->signals, c->pixels, count, 4);
  } else {
    if (!prepare(c, frame, width, height, AV_PIX_FMT_RGBA, matrix, SWS_CS_DEFAULT)) return false;
    if (!scale(c, frame, (uint8_t *[4]){c->pixels}, (int[4]){width * 4}, height)) return false;
    mediatool_primaries_to_srgb(primaries, c->pixels, count);
  }
  if (!c->finisher) {
    c->finisher = sws_getContext(
      width, height, AV_PIX_FMT_RGBA, width, height, AV_PIX_FMT_YUV420P, SWS_BICUBIC | SWS_ACCURATE_RND | SWS_BITEXACT, NULL, NULL, NULL);
    if (!c->finisher) return false;
    const int *coefficients = sws_getCoefficients(o->matrix ? o->matrix : SWS_CS_ITU709);
    sws_setColorspaceDetails(c->finisher, coefficients, 1, coefficients, 0, 0, 1 << 16, 1 << 16);
  }
  const uint8_t *planes[4] = {c->pixels};
  return sws_scale(c->finisher, planes, (int[4]){width * 4}, 0, height, out->data, out->linesize) == height;
}

// Rotates one plane by an EXIF orientation.
static void turn(const uint8_t *from, int stride, uint8_t *to, int to_stride, int width, int height, int orientation) {
  for (int y = 0; y < height; y++) {
    for (int x = 0; x < width; x++) {
      // Width and height are of the upright plane. Find the stored pixel for each of its pixels.
      int column, row;
      switch (orientation) {
        case 2: column = width - 1 - x, row = y; break;
        case 3: column = width - 1 - x, row = height - 1 - y; break;
        case 4: column = x, row = height - 1 - y; break;
        case 5: column = y, row = x; break;
        case 6: column = y, row = width - 1 - x; break;
        case 7: column = height - 1 - y, row = width - 1 - x; break;
        case 8: column = height - 1 - y, row = x; break;
        default: column = x, row = y; break;
      }
      to[(ptrdiff_t)y * to_stride + x] = from[(ptrdiff_t)row * stride + column];
    }
  }
}

// Fills an image with black.
static AVFrame *new_image(int width, int height) {
  AVFrame *frame = av_frame_alloc();
  if (!frame) return NULL;
  frame->format = AV_PIX_FMT_YUV420P;
  frame->width = width;
  frame->height = height;
  if (av_frame_get_buffer(frame, 0) < 0) {
    av_frame_free(&frame);
    return NULL;
  }
  ptrdiff_t lines[4] = {frame->linesize[0], frame->linesize[1], frame->linesize[2]};
  av_image_fill_black(frame->data, lines, AV_PIX_FMT_YUV420P, AVCOL_RANGE_MPEG, width, height);
  return frame;
}

// Whether frames can stay YCbCr throughout.
static bool is_plain(const AVFrame *frame, const frame_options *o) {
  int primaries = primaries_of(frame, o);
  return !mediatool_tone_map_knows(transfer_of(frame, o)) && primaries != MEDIATOOL_PRIMARIES_BT2020 && primaries != MEDIATOOL_PRIMARIES_P3;
}

// Places the scaled, upright image in the centre of a black one.
static AVFrame *upright(const AVFrame *scaled, const frame_options *o) {
  AVFrame *output = new_image(o->width, o->height);
  if (!output) return NULL;
  for (int i = 0; i < 3; i++) {
    int shift = i ? 1 : 0;
    int x = (o->width - o->shown_width) / 4 * 2 >> shift, y = (o->height - o->shown_height) / 4 * 2 >> shift;
    uint8_t *to = output->data[i] + (ptrdiff_t)y * output->linesize[i] + x;
    turn(
      scaled->data[i], scaled->linesize[i], to, output->linesize[i], o->shown_width >> shift, o->shown_height >> shift, o->orientation);
  }
  return output;
}

int frame_convert(frame_converter *c, const AVFrame *decoded, const frame_options *o, AVFrame *image) {
  int width = swaps(o->orientation) ? o->shown_height : o->shown_width;
  int height = swaps(o->orientation) ? o->shown_width : o->shown_height;
  av_frame_unref(image);
  const AVFrame *frame = deinterlace(&c->deinterlacer, decoded);
  if (!frame) return AVERROR(ENOMEM);
  if (!c->scaled) c->scaled = new_image(width, height);
  // The encoder or the cache may still use the previous frame.
  if (!c->scaled || av_frame_make_writable(c->scaled) < 0) return AVERROR(ENOMEM);
  int matrix = mediatool_frame_matrix(frame, transfer_of(frame, o)), out_matrix;
  if (is_plain(frame, o)) {
    bool is_common = matrix == SWS_CS_ITU709 || matrix == SWS_CS_ITU601;
    out_matrix = o->matrix ? o->matrix : is_common ? matrix : SWS_CS_ITU709;
    if (!prepare(c, frame, width, height, AV_PIX_FMT_YUV420P, matrix, out_matrix)) return AVERROR(ENOSYS);
    if (!scale(c, frame, c->scaled->data, c->scaled->linesize, height)) return AVERROR(ENOSYS);
  } else {
    out_matrix = o->matrix ? o->matrix : SWS_CS_ITU709;
    if (!scale_through_rgb(c, frame, o, matrix)) return AVERROR(ENOSYS);
  }
  bool fills_image = o->orientation <= 1 && o->shown_width == o->width && o->shown_height == o->height;
  AVFrame *output = fills_image ? c->scaled : upright(c->scaled, o);
  if (!output) return AVERROR(ENOMEM);
  int error = av_frame_ref(image, output);
  if (output != c->scaled) av_frame_free(&output);
  image->colorspace = tag_of(out_matrix);
  image->color_range = AVCOL_RANGE_MPEG;
  return error;
}

void frame_converter_free(frame_converter *c) {
  sws_freeContext(c->scaler);
  sws_freeContext(c->finisher);
  mediatool_tone_map_free(c->light);
  av_frame_free(&c->scaled);
  deinterlacer_free(&c->deinterlacer);
  av_freep(&c->signals);
  av_freep(&c->pixels);
}
