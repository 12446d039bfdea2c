#include <libavutil/pixdesc.h>
#include <string.h>

#include "transcode.h"

// Levels by which samples may differ and still be the same: noise of a camera and of an encoder.
enum { noise = 8 };

static bool is_known_layout(int format) {
  switch (format) {
  case AV_PIX_FMT_YUV420P:
  case AV_PIX_FMT_YUV422P:
  case AV_PIX_FMT_YUV444P:
  case AV_PIX_FMT_YUVJ420P:
  case AV_PIX_FMT_YUVJ422P:
  case AV_PIX_FMT_YUVJ444P: return true;
  default: return false;
  }
}

static bool is_alike(const AVFrame *a, const AVFrame *b) {
  return a && a->data[0] && a->format == b->format && a->width == b->width && a->height == b->height;
}

static bool is_near(int a, int b) { return a - b <= noise && b - a <= noise; }

// A row of the later field between two of the first one: as it is where nothing moves, or nothing is torn, else what lies between. `before`: the
// same three rows an image earlier, if there is one.
static void mend_row(
  uint8_t *out, const uint8_t *above, const uint8_t *row, const uint8_t *below, const uint8_t *const before[3], int width) {
  for (int x = 0; x < width; x++) {
    int a = above[x], b = below[x], c = row[x];
    bool is_still = before[0] && is_near(c, before[1][x]) && is_near(a, before[0][x]) && is_near(b, before[2][x]);
    bool is_between = c >= FFMIN(a, b) - noise && c <= FFMAX(a, b) + noise;
    out[x] = (uint8_t)(is_still || is_between ? c : (a + b + 1) / 2);
  }
}

static void mend_plane(
  uint8_t *out, int out_stride, const uint8_t *in, int stride, const uint8_t *before, int before_stride, int width, int height,
  int first) {
  for (int y = 0; y < height; y++, out += out_stride) {
    const uint8_t *row = in + (ptrdiff_t)y * stride;
    if (y % 2 == first || y == 0 || y == height - 1) {
      // At an edge the nearest row of the first field.
      const uint8_t *shown = y % 2 == first ? row : y == 0 ? row + stride : row - stride;
      memcpy(out, shown, (size_t)width);
      continue;
    }
    const uint8_t *earlier[3] = {0};
    for (int i = 0; before && i < 3; i++) earlier[i] = before + (ptrdiff_t)(y - 1 + i) * before_stride;
    mend_row(out, row - stride, row, row + stride, earlier, width);
  }
}

const AVFrame *image_in_one(image_maker *m, const AVFrame *frame) {
  if (!frame->interlaced_frame || frame->height < 8 || !is_known_layout(frame->format)) return frame;
  if (!is_alike(m->mended, frame)) {
    av_frame_free(&m->mended);
    m->mended = av_frame_alloc();
    if (!m->mended) return NULL;
    m->mended->format = frame->format;
    m->mended->width = frame->width;
    m->mended->height = frame->height;
    if (av_frame_get_buffer(m->mended, 0) < 0 || (!m->before && !(m->before = av_frame_alloc()))) return NULL;
  }
  const AVPixFmtDescriptor *layout = av_pix_fmt_desc_get((enum AVPixelFormat)frame->format);
  bool has_before = is_alike(m->before, frame);
  for (int i = 0; i < 3; i++) {
    int width = i ? AV_CEIL_RSHIFT(frame->width, layout->log2_chroma_w) : frame->width;
    int height = i ? AV_CEIL_RSHIFT(frame->height, layout->log2_chroma_h) : frame->height;
    mend_plane(
      m->mended->data[i], m->mended->linesize[i], frame->data[i], frame->linesize[i], has_before ? m->before->data[i] : NULL,
      has_before ? m->before->linesize[i] : 0, width, height, frame->top_field_first ? 0 : 1);
  }
  av_frame_unref(m->before);
  if (av_frame_ref(m->before, frame) < 0 || av_frame_copy_props(m->mended, frame) < 0) return NULL;
  m->mended->interlaced_frame = 0;
  return m->mended;
}
