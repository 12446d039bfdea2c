#include <math.h>
#include <string.h>

#include "mediatool_avio.h"
#include "video.h"

// With square pixels: columns stretched, rows kept. A ratio beyond 8 is a mistake, not a picture.
static int squared_width(int width, AVRational aspect) {
  if (aspect.num <= 0 || aspect.den <= 0) return width;
  double squared = round((double)width * aspect.num / aspect.den);
  return squared >= 1 && squared <= width * 8.0 && squared * 8 >= width ? (int)squared : width;
}

mediatool_video_facts mediatool_video_get_facts(const mediatool_video *video) {
  mediatool_video_facts facts = {.is_cover = video->is_cover, .duration = video->options.duration};
  const AVStream *stream = video->stream;
  const AVFrame *frame = video->best;
  int width = frame->width > 0 ? frame->width : stream->codecpar->width;
  facts.height = frame->height > 0 ? frame->height : stream->codecpar->height;
  AVRational aspect = av_guess_sample_aspect_ratio(
    video->container, video->stream, frame->width > 0 ? video->best : NULL);
  if (width > 0 && facts.height > 0) facts.width = squared_width(width, aspect);
  size_t size = 0;
  const uint8_t *matrix = mediatool_av_side_data(stream, AV_PKT_DATA_DISPLAYMATRIX, &size);
  if (matrix && size >= sizeof facts.matrix) {
    memcpy(facts.matrix, matrix, sizeof facts.matrix);
    facts.has_matrix = true;
  }
  // What the caller knows is better than the stream's: libav adds up only the fragments that it has visited.
  if (facts.duration <= 0 && stream->duration > 0) facts.duration = (double)stream->duration * av_q2d(stream->time_base);
  if (facts.duration <= 0 && video->container->duration > 0)
    facts.duration = (double)video->container->duration / AV_TIME_BASE;
  return facts;
}
