#include "transcode_output.h"

#include <math.h>

#include "transcode_frame_cache.h"

// The share of a video after which its size is predicted, and the ratio of the prediction to the limit above which an
// attempt is abandoned. Nothing can be predicted from a few frames, and encoding them costs little.
static const double min_predicted_share = 0.2, give_up_ratio = 1.35;
// For an abandoned attempt even a poor prediction is useful, but not one from almost nothing.
static const double min_extrapolated_share = 0.02;
enum { min_predicted_images = 48 };

bool transcoder_time(const transcoder *t, int64_t time, AVRational base, int64_t *ticks) {
  if (time == AV_NOPTS_VALUE) return false;
  int64_t scaled = av_rescale_q(time, base, TICKS), start = av_rescale_q(t->start, AV_TIME_BASE_Q, TICKS);
  if (scaled == INT64_MIN || __builtin_sub_overflow(scaled, start, ticks)) return false;
  // One month: no video is longer.
  int64_t maximum = (int64_t)ticks_a_second * 86400 * 31;
  return *ticks > -maximum && *ticks < maximum;
}

int64_t transcoder_end(const transcoder *t) {
  return (int64_t)(fmin(t->options->max_seconds, 86400 * 31) * ticks_a_second);
}

// The share of the expected video that its frames have reached.
static double share_of(const transcoder *t) {
  double expected = t->options->expected_seconds * ticks_a_second;
  return expected > 0 ? (double)t->video.end / expected : 1;
}

// The first frame is a key frame, and by far the largest.
static int64_t extrapolated(const transcoder *t) {
  const packet_list *video = &t->video.packets;
  double share = share_of(t);
  if (video->count < 2 || !(share > min_extrapolated_share) || share >= 1) return 0;
  int64_t bytes = video->bytes + t->audio.packets.bytes, first = video->items[0]->size;
  return first + (int64_t)((double)(bytes - first) / share);
}

int64_t transcoder_projected(const transcoder *t) {
  return t->video.packets.count < min_predicted_images || share_of(t) < min_predicted_share ? 0 : extrapolated(t);
}

mediatool_transcode_result transcoder_summary(const transcoder *t) {
  int64_t video = t->video.packets.bytes, audio = t->audio.packets.bytes;
  return (mediatool_transcode_result){
    .video_bytes = video, .audio_bytes = audio, .projected_bytes = FFMAX(video + audio, extrapolated(t)),
    .seconds = (double)FFMAX(t->video.end, t->audio.end) / ticks_a_second, .frames = t->video.packets.count,
    .has_audio = t->audio.packets.count > 0, .is_cut = t->is_cut};
}

int transcoder_add(transcoder *t, track *track, AVPacket *packet) {
  int64_t end;
  if (__builtin_add_overflow(packet->pts, FFMAX(0, packet->duration), &end)) return AVERROR_INVALIDDATA;
  track->end = FFMAX(track->end, av_rescale_q(end, track->time_base, TICKS));
  if (!packet_list_append(&track->packets, packet)) return AVERROR(ENOMEM);
  if (t->options->progress) {
    // If there is a video, its frames determine the progress.
    int64_t ticks = t->options->video != MEDIATOOL_CODING_NONE ? t->video.end : t->audio.end;
    t->options->progress(t->options->progress_context, (double)ticks / ticks_a_second);
  }
  // Audio is still kept, unless it could never fit.
  if (t->is_over_limit) return t->audio.packets.bytes > t->options->max_bytes ? AVERROR(ENOSPC) : 0;
  int64_t bytes = t->video.packets.bytes + t->audio.packets.bytes;
  double maximum = (double)t->options->max_bytes;
  t->is_over_limit = bytes > t->options->max_bytes || (double)transcoder_projected(t) > give_up_ratio * maximum;
  if (!t->is_over_limit) return 0;
  t->over_limit_result = transcoder_summary(t);
  return frame_cache_is_filling(t) ? 0 : AVERROR(ENOSPC);
}
