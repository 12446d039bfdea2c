#include <math.h>
#include <string.h>

#include "mediatool_avio.h"
#include "mediatool_pixels.h"
#include "video.h"

// The size with square pixels: the width is scaled, the height stays. A ratio above 8 is invalid.
static int squared_width(int width, AVRational aspect) {
  if (aspect.num <= 0 || aspect.den <= 0) return width;
  double squared = round((double)width * aspect.num / aspect.den);
  return squared >= 1 && squared <= width * 8.0 && squared * 8 >= width ? (int)squared : width;
}

double mediatool_video_duration(const mediatool_video *video) {
  // The caller's duration is more reliable: libav adds up only the fragments that it has visited.
  if (video->options.duration > 0) return video->options.duration;
  if (video->stream->duration > 0) return (double)video->stream->duration * av_q2d(video->stream->time_base);
  return video->container->duration > 0 ? (double)video->container->duration / AV_TIME_BASE : 0;
}

// Seconds that are in the file according to its index: less than stated for a file truncated after its index.
static double reach_of(const mediatool_video *video, double duration) {
  int64_t size = mediatool_input_size(video->input);
  int count = avformat_index_get_entries_count(video->stream);
  for (int i = count - 1; i >= 0; i--) {
    const AVIndexEntry *entry = avformat_index_get_entry(video->stream, i);
    if (entry->pos >= size || entry->size > size - entry->pos) continue;
    int64_t since;
    if (i == count - 1 || __builtin_sub_overflow(entry->timestamp, video->start, &since)) break;
    return fmin(duration, fmax(0, (double)since * av_q2d(video->stream->time_base)));
  }
  return duration;
}

mediatool_video_facts mediatool_video_get_facts(const mediatool_video *video) {
  mediatool_video_facts facts = {.is_cover = video->is_cover, .duration = mediatool_video_duration(video)};
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
  facts.reach = reach_of(video, facts.duration);
  facts.has_alpha = frame->data[0] && mediatool_frame_has_alpha(frame);
  return facts;
}
