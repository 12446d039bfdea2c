#include <libavutil/pixdesc.h>
#include <libswscale/swscale.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "frame_color.h"
#include "video.h"

// The frame is analysed on a coarse grid, about the size of a thumbnail, so that the cost is the same for every frame
// and small compared with decoding.
enum { columns = 96, rows = 64, samples = 4 };  // each cell of the grid is the mean of samples × samples pixels

// Levels of luma; limited range is 16 to 235 of 256.
typedef struct {
  const uint8_t *data;
  int stride, step, offset, shift, bytes;
  bool is_swapped;
  double black, scale;
} plane;

// False for pixel formats whose samples are not whole bytes.
static bool component_of(const AVFrame *frame, const AVPixFmtDescriptor *layout, int index, bool is_full, plane *p) {
  if (layout->flags & (AV_PIX_FMT_FLAG_BITSTREAM | AV_PIX_FMT_FLAG_PAL | AV_PIX_FMT_FLAG_HWACCEL | AV_PIX_FMT_FLAG_FLOAT))
    return false;
  const AVComponentDescriptor *c = &layout->comp[index];
  double white = (double)((1 << c->depth) - 1);
  *p = (plane){
    .data = frame->data[c->plane], .stride = frame->linesize[c->plane], .step = c->step, .offset = c->offset,
    .shift = c->shift, .bytes = c->depth + c->shift > 8 ? 2 : 1, .is_swapped = (layout->flags & AV_PIX_FMT_FLAG_BE) != 0,
    .black = is_full ? 0 : ldexp(16, c->depth - 8), .scale = 255 / (is_full ? white : ldexp(219, c->depth - 8))};
  return p->data && c->depth >= 8 && c->depth <= 16 && (c->depth + c->shift) <= 16;
}

static bool luma_of(const AVFrame *frame, const AVPixFmtDescriptor *layout, plane *p) {
  bool is_rgb = (layout->flags & AV_PIX_FMT_FLAG_RGB) != 0;
  // Green is closest to luma.
  return component_of(
    frame, layout, is_rgb && layout->nb_components >= 3 ? 1 : 0, is_rgb || mediatool_frame_is_full_range(frame), p);
}

static unsigned sample(const plane *p, int x, int y) {
  const uint8_t *at = p->data + (ptrdiff_t)y * p->stride + (ptrdiff_t)x * p->step + p->offset;
  unsigned value = p->bytes == 1 ? at[0] : p->is_swapped ? at[0] << 8 | at[1] : at[0] | at[1] << 8;
  return value >> p->shift;
}

// The levels of the cells, 0 to 255.
static void fill_grid(const plane *p, int width, int height, float grid[rows][columns]) {
  for (int y = 0; y < rows; y++) {
    for (int x = 0; x < columns; x++) {
      unsigned sum = 0;
      for (int j = 0; j < samples; j++) {
        int64_t line = (int64_t)height * (y * samples + j) / (rows * samples);
        for (int i = 0; i < samples; i++)
          sum += sample(p, (int)((int64_t)width * (x * samples + i) / (columns * samples)), (int)line);
      }
      double level = ((double)sum / (samples * samples) - p->black) * p->scale;
      grid[y][x] = (float)fmin(fmax(level, 0), 255);
    }
  }
}

static void measure_levels(float grid[rows][columns], mediatool_frame_analysis *analysis) {
  const double count = rows * columns;
  int histogram[256] = {0}, coarse[32] = {0};
  double sum = 0, squares = 0;
  for (int y = 0; y < rows; y++) {
    for (int x = 0; x < columns; x++) {
      double level = grid[y][x];
      sum += level;
      squares += level * level;
      histogram[(int)level]++;
      coarse[(int)level >> 3]++;
    }
  }
  analysis->mean = sum / count;
  analysis->deviation = sqrt(fmax(squares / count - analysis->mean * analysis->mean, 0));
  for (int i = 0; i < 32; i++)
    if (coarse[i]) analysis->entropy -= coarse[i] / count * log2(coarse[i] / count) / 5;
  int within = 0, maximum = 0;
  for (int i = 0; i < 256; i++) {
    within += histogram[i] - (i >= 16 ? histogram[i - 16] : 0);
    if (within > maximum) maximum = within;
  }
  analysis->dominance = maximum / count;
}

static void measure_slopes(float grid[rows][columns], mediatool_frame_analysis *analysis) {
  int slopes[512] = {0}, flat = 0, count = 0;
  for (int y = 0; y + 1 < rows; y++) {
    for (int x = 0; x + 1 < columns; x++) {
      double slope = fabs(grid[y][x + 1] - grid[y][x]) + fabs(grid[y + 1][x] - grid[y][x]);
      slopes[(int)slope]++;
      flat += slope < 2;
      count++;
    }
  }
  analysis->flatness = (double)flat / count;
  double sum = 0;
  int left = count / 20;
  for (int i = 511; i >= 0 && left > 0; i--) {
    int taken = slopes[i] < left ? slopes[i] : left;
    sum += (double)taken * i;
    left -= taken;
  }
  analysis->sharpness = sum / (count / 20);
}

// Moves the levels of transparent cells towards mid-grey. Returns the mean opacity, 0 to 1.
static double weigh_opacity(const plane *alpha, int width, int height, float grid[rows][columns]) {
  float opacity[rows][columns];
  double sum = 0;
  fill_grid(alpha, width, height, opacity);
  for (int y = 0; y < rows; y++) {
    for (int x = 0; x < columns; x++) {
      sum += opacity[y][x];
      grid[y][x] = 128 + (grid[y][x] - 128) * opacity[y][x] / 255;
    }
  }
  return sum / (rows * columns * 255.0);
}

// Palettes and packed formats with few bits are rare, so they are converted first.
static bool convert_to_grid(const AVFrame *frame, float grid[rows][columns]) {
  uint8_t levels[rows * columns];
  struct SwsContext *sws = sws_getContext(
    frame->width, frame->height, (enum AVPixelFormat)frame->format, columns, rows, AV_PIX_FMT_GRAY8,
    SWS_AREA | SWS_ACCURATE_RND | SWS_BITEXACT, NULL, NULL, NULL);
  if (!sws) return false;
  uint8_t *planes[4] = {levels};
  int strides[4] = {columns};
  bool done =
    sws_scale(sws, (const uint8_t *const *)frame->data, frame->linesize, 0, frame->height, planes, strides) == rows;
  sws_freeContext(sws);
  for (int i = 0; done && i < rows * columns; i++) grid[i / columns][i % columns] = levels[i];
  return done;
}

mediatool_frame_analysis mediatool_video_analyze_frame(const mediatool_video *video) {
  mediatool_frame_analysis analysis = {.opacity = 1};
  const AVFrame *frame = video->frame;
  if (!frame->data[0] || frame->width < 1 || frame->height < 1) return analysis;
  analysis.is_damaged = mediatool_video_is_damaged(frame);
  const AVPixFmtDescriptor *layout = av_pix_fmt_desc_get((enum AVPixelFormat)frame->format);
  float grid[rows][columns];
  plane luma, alpha;
  if (layout && luma_of(frame, layout, &luma)) {
    fill_grid(&luma, frame->width, frame->height, grid);
    bool has_alpha = (layout->flags & AV_PIX_FMT_FLAG_ALPHA) != 0;
    if (has_alpha && component_of(frame, layout, layout->nb_components - 1, true, &alpha))
      analysis.opacity = weigh_opacity(&alpha, frame->width, frame->height, grid);
  } else if (!layout || !convert_to_grid(frame, grid)) {
    // A frame that cannot be analysed counts as a good one.
    return (mediatool_frame_analysis){
      .mean = 128, .deviation = 64, .entropy = 0.8, .dominance = 0.2, .sharpness = 64, .opacity = 1, .is_damaged = analysis.is_damaged};
  }
  measure_levels(grid, &analysis);
  measure_slopes(grid, &analysis);
  return analysis;
}
