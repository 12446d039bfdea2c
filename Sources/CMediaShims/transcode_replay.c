#include "transcode_replay.h"

#include "transcode_frame_cache.h"
#include "transcode_output.h"
#include "transcode_video.h"

// Adds the audio up to a time, so that the size is predicted in the same way as with a source.
static int replay_audio(transcoder *t, int *next, int64_t time, AVRational base) {
  const mediatool_frame_cache *c = t->options->cache;
  while (*next < c->audio.count && (base.num == 0 || av_compare_ts(c->audio.items[*next]->pts, c->audio_base, time, base) <= 0)) {
    AVPacket *copy = av_packet_clone(c->audio.items[(*next)++]);
    int error = copy ? transcoder_add(t, &t->audio, copy) : AVERROR(ENOMEM);
    av_packet_free(&copy);
    if (error < 0) return error;
  }
  return 0;
}

int replay_cache(transcoder *t) {
  const mediatool_frame_cache *c = t->options->cache;
  t->frame_rate = c->frame_rate;
  t->is_cut = c->is_cut;
  t->quantizer = t->options->quantizer;
  if (c->audio.count > 0) {
    t->audio.time_base = c->audio_base;
    t->audio.parameters = avcodec_parameters_alloc();
    if (!t->audio.parameters || avcodec_parameters_copy(t->audio.parameters, c->audio_parameters) < 0) return AVERROR(ENOMEM);
  }
  int next = 0, error = 0;
  for (int i = 0; i < c->count && error >= 0; i++) {
    if (mediatool_input_timed_out(t->input)) return AVERROR_EXIT;
    error = replay_audio(t, &next, c->images[i]->pts, video_time_base(t));
    if (error >= 0) error = av_frame_ref(t->image, c->images[i]);
    if (error >= 0) error = video_encode(t);
    av_frame_unref(t->image);
  }
  if (error >= 0) error = replay_audio(t, &next, 0, (AVRational){0, 1});
  return error < 0 ? error : video_end(t);
}
