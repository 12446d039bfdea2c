#include "transcode_deinterlace.h"

#include <libavutil/pixdesc.h>
#include <stdbool.h>
#include <string.h>

// Maximum difference of samples that count as equal, because of camera and encoder noise.
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

// A row of the second field between two rows of the first: unchanged where nothing moves or there is no combing, else
// interpolated. `previous`: the same three rows of the previous frame, if there is one.
static void interpolate_row(
  uint8_t *out, const uint8_t *above, const uint8_t *row, const uint8_t *below, const uint8_t *const previous[3], int width) {
  for (int x = 0; x < width; x++) {
    int a = above[x], b = below[x], c = row[x];
    bool is_still = previous[0] && is_near(c, previous[1][x]) && is_near(a, previous[0][x]) && is_near(b, previous[2][x]);
    bool is_between = c >= FFMIN(a, b) - noise && c <= FFMAX(a, b) + noise;
    out[x] = (uint8_t)(is_still || is_between ? c : (a + b + 1) / 2);
  }
}

static void interpolate_plane(
  uint8_t *out, int out_stride, const uint8_t *in, int stride, const uint8_t *previous, int previous_stride, int width, int height,
  int first) {
  for (int y = 0; y < height; y++, out += out_stride) {
    const uint8_t *row = in + (ptrdiff_t)y * stride;
    if (y % 2 == first || y == 0 || y == height - 1) {
      // At an edge, the nearest row of the first field is used.
      const uint8_t *shown = y % 2 == first ? row : y == 0 ? row + stride : row - stride;
      memcpy(out, shown, (size_t)width);
      continue;
    }
    const uint8_t *earlier[3] = {0};
    for (int i = 0; previous && i < 3; i++) earlier[i] = previous + (ptrdiff_t)(y - 1 + i) * previous_stride;
    interpolate_row(out, row - stride, row, row + stride, earlier, width);
  }
}

const AVFrame *deinterlace(deinterlacer *d, const AVFrame *frame) {
  if (!frame->interlaced_frame || frame->height < 8 || !is_known_layout(frame->format)) return frame;
  if (!is_alike(d->output, frame)) {
    av_frame_free(&d->output);
    d->output = av_frame_alloc();
    if (!d->output) return NULL;
    d->output->format = frame->format;
    d->output->width = frame->width;
    d->output->height = frame->height;
    if (av_frame_get_buffer(d->output, 0) < 0 || (!d->previous && !(d->previous = av_frame_alloc()))) return NULL;
  }
  const AVPixFmtDescriptor *layout = av_pix_fmt_desc_get((enum AVPixelFormat)frame->format);
  bool has_previous = is_alike(d->previous, frame);
  for (int i = 0; i < 3; i++) {
    int width = i ? AV_CEIL_RSHIFT(frame->width, layout->log2_chroma_w) : frame->width;
    int height = i ? AV_CEIL_RSHIFT(frame->height, layout->log2_chroma_h) : frame->height;
    interpolate_plane(
      d->output->data[i], d->output->linesize[i], frame->data[i], frame->linesize[i], has_previous ? d->previous->data[i] : NULL,
      has_previous ? d->previous->linesize[i] : 0, width, height, frame->top_field_first ? 0 : 1);
  }
  av_frame_unref(d->previous);
  if (av_frame_ref(d->previous, frame) < 0 || av_frame_copy_props(d->output, frame) < 0) return NULL;
  d->output->interlaced_frame = 0;
  return d->output;
}

void deinterlacer_free(deinterlacer *d) {
  av_frame_free(&d->previous);
  av_frame_free(&d->output);
}
