#include <libavutil/imgutils.h>
#include <libavutil/pixdesc.h>

#include "frame_color.h"
#include "primaries.h"
#include "transcode.h"

static int transfer_of(const AVFrame *frame, const image_options *options) {
  int transfer = (int)frame->color_trc;
  return transfer == AVCOL_TRC_UNSPECIFIED || transfer == AVCOL_TRC_RESERVED0 ? options->transfer : transfer;
}

static int primaries_of(const AVFrame *frame, const image_options *options) {
  int primaries = (int)frame->color_primaries;
  return primaries == AVCOL_PRI_UNSPECIFIED ? options->primaries : primaries;
}

static bool swaps(int orientation) { return orientation >= 5; }

static enum AVColorSpace tag_of(int matrix) { return matrix == SWS_CS_ITU709 ? AVCOL_SPC_BT709 : AVCOL_SPC_SMPTE170M; }

// Makes the scaler for such frames, unless it is made for them already.
static bool prepare(image_maker *m, const AVFrame *frame, int width, int height, enum AVPixelFormat layout, int matrix, int out_matrix) {
  bool is_full = mediatool_frame_is_full_range(frame);
  int rows = mediatool_frame_shown_field(frame).height;
  bool is_same = m->scaler && m->prepared.format == frame->format && m->prepared.width == frame->width && m->prepared.height == rows &&
                 m->prepared.matrix == matrix && m->prepared.layout == (int)layout && m->prepared.is_full == is_full;
  if (is_same) return true;
  sws_freeContext(m->scaler);
  // Where much is left out, the mean of an area leaves no aliasing and is fastest.
  bool halves = width * 2 <= frame->width && height * 2 <= rows;
  int flags = (halves ? SWS_AREA : SWS_BICUBIC) | SWS_ACCURATE_RND | SWS_BITEXACT;
  m->scaler = sws_getContext(
    frame->width, rows, (enum AVPixelFormat)frame->format, width, height, layout, flags, NULL, NULL, NULL);
  if (!m->scaler) return false;
  bool is_rgb_out = layout != AV_PIX_FMT_YUV420P;
  sws_setColorspaceDetails(
    m->scaler, sws_getCoefficients(matrix), is_full, sws_getCoefficients(out_matrix), is_rgb_out, 0, 1 << 16, 1 << 16);
  m->prepared.format = frame->format;
  m->prepared.width = frame->width;
  m->prepared.height = rows;
  m->prepared.matrix = matrix;
  m->prepared.layout = (int)layout;
  m->prepared.is_full = is_full;
  return true;
}

static bool scale(image_maker *m, const AVFrame *frame, uint8_t *const *planes, const int *strides, int height) {
  mediatool_field field = mediatool_frame_shown_field(frame);
  return sws_scale(m->scaler, field.data, field.strides, 0, field.height, planes, strides) == height;
}

// Through sRGB, for what a standard display cannot show as it is: high range, wide primaries.
static bool scale_through_rgb(image_maker *m, const AVFrame *frame, const image_options *o, int matrix) {
  AVFrame *out = m->scaled;
  int width = out->width, height = out->height, transfer = transfer_of(frame, o), primaries = primaries_of(frame, o);
  size_t count = (size_t)width * (size_t)height;
  if (!m->pixels) m->pixels = av_malloc_array(count, 4);
  if (!m->pixels) return false;
  if (mediatool_tone_map_knows(transfer)) {
    if (!m->light || m->light_transfer != transfer || m->light_primaries != primaries) {
      mediatool_tone_map_free(m->light);
      m->light = mediatool_tone_map_new((mediatool_tone_map_options){.transfer = transfer, .primaries = primaries, .peak = o->peak});
      m->light_transfer = transfer;
      m->light_primaries = primaries;
    }
    if (!m->signals) m->signals = av_malloc_array(count, 8);
    if (!m->light || !m->signals || !prepare(m, frame, width, height, AV_PIX_FMT_RGBA64, matrix, SWS_CS_DEFAULT)) return false;
    if (!scale(m, frame, (uint8_t *[4]){m->signals}, (int[4]){width * 8}, height)) return false;
    mediatool_tone_map_pixels(m->light, (const uint16_t *)m->signals, m->pixels, count, 4);
  } else {
    if (!prepare(m, frame, width, height, AV_PIX_FMT_RGBA, matrix, SWS_CS_DEFAULT)) return false;
    if (!scale(m, frame, (uint8_t *[4]){m->pixels}, (int[4]){width * 4}, height)) return false;
    mediatool_primaries_to_srgb(primaries, m->pixels, count);
  }
  if (!m->finisher) {
    m->finisher = sws_getContext(
      width, height, AV_PIX_FMT_RGBA, width, height, AV_PIX_FMT_YUV420P, SWS_BICUBIC | SWS_ACCURATE_RND | SWS_BITEXACT, NULL, NULL, NULL);
    if (!m->finisher) return false;
    const int *coefficients = sws_getCoefficients(o->matrix ? o->matrix : SWS_CS_ITU709);
    sws_setColorspaceDetails(m->finisher, coefficients, 1, coefficients, 0, 0, 1 << 16, 1 << 16);
  }
  const uint8_t *planes[4] = {m->pixels};
  return sws_scale(m->finisher, planes, (int[4]){width * 4}, 0, height, out->data, out->linesize) == height;
}

// One plane turned by EXIF's orientation.
static void turn(const uint8_t *from, int stride, uint8_t *to, int to_stride, int width, int height, int orientation) {
  for (int y = 0; y < height; y++) {
    for (int x = 0; x < width; x++) {
      // Width and height are those of the upright plane; which stored pixel lies there?
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

// A black image.
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

// Whether the images can stay YCbCr from beginning to end.
static bool is_plain(const AVFrame *frame, const image_options *o) {
  int primaries = primaries_of(frame, o);
  return !mediatool_tone_map_knows(transfer_of(frame, o)) && primaries != MEDIATOOL_PRIMARIES_BT2020 && primaries != MEDIATOOL_PRIMARIES_P3;
}

// The scaled image, upright, in the middle of a black one.
static AVFrame *finish(const AVFrame *scaled, const image_options *o) {
  AVFrame *made = new_image(o->width, o->height);
  if (!made) return NULL;
  for (int i = 0; i < 3; i++) {
    int shift = i ? 1 : 0;
    int x = (o->width - o->shown_width) / 4 * 2 >> shift, y = (o->height - o->shown_height) / 4 * 2 >> shift;
    uint8_t *to = made->data[i] + (ptrdiff_t)y * made->linesize[i] + x;
    turn(
      scaled->data[i], scaled->linesize[i], to, made->linesize[i], o->shown_width >> shift, o->shown_height >> shift, o->orientation);
  }
  return made;
}

int image_make(image_maker *m, const AVFrame *decoded, const image_options *o, AVFrame *image) {
  int width = swaps(o->orientation) ? o->shown_height : o->shown_width;
  int height = swaps(o->orientation) ? o->shown_width : o->shown_height;
  av_frame_unref(image);
  const AVFrame *frame = image_in_one(m, decoded);
  if (!frame) return AVERROR(ENOMEM);
  if (!m->scaled) m->scaled = new_image(width, height);
  // The encoder, or the memory, may still hold the last one.
  if (!m->scaled || av_frame_make_writable(m->scaled) < 0) return AVERROR(ENOMEM);
  int matrix = mediatool_frame_matrix(frame, transfer_of(frame, o)), out_matrix;
  if (is_plain(frame, o)) {
    bool is_common = matrix == SWS_CS_ITU709 || matrix == SWS_CS_ITU601;
    out_matrix = o->matrix ? o->matrix : is_common ? matrix : SWS_CS_ITU709;
    if (!prepare(m, frame, width, height, AV_PIX_FMT_YUV420P, matrix, out_matrix)) return AVERROR(ENOSYS);
    if (!scale(m, frame, m->scaled->data, m->scaled->linesize, height)) return AVERROR(ENOSYS);
  } else {
    out_matrix = o->matrix ? o->matrix : SWS_CS_ITU709;
    if (!scale_through_rgb(m, frame, o, matrix)) return AVERROR(ENOSYS);
  }
  bool is_whole = o->orientation <= 1 && o->shown_width == o->width && o->shown_height == o->height;
  AVFrame *made = is_whole ? m->scaled : finish(m->scaled, o);
  if (!made) return AVERROR(ENOMEM);
  int error = av_frame_ref(image, made);
  if (made != m->scaled) av_frame_free(&made);
  image->colorspace = tag_of(out_matrix);
  image->color_range = AVCOL_RANGE_MPEG;
  return error;
}

void image_maker_free(image_maker *m) {
  sws_freeContext(m->scaler);
  sws_freeContext(m->finisher);
  mediatool_tone_map_free(m->light);
  av_frame_free(&m->scaled);
  av_frame_free(&m->before);
  av_frame_free(&m->mended);
  av_freep(&m->signals);
  av_freep(&m->pixels);
}
