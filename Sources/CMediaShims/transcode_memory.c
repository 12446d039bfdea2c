#include "transcode.h"

struct mediatool_transcode_memory {
  int64_t maximum, bytes;
  mediatool_transcode_options made_for;
  bool is_filling, is_whole;
  AVFrame **images;
  int count, capacity;
  packet_list audio;
  AVCodecParameters *audio_parameters;
  AVRational audio_base, frame_rate;
  bool is_cut;
};

mediatool_transcode_memory *mediatool_transcode_memory_new(int64_t max_bytes) {
  mediatool_transcode_memory *m = av_mallocz(sizeof *m);
  if (m) m->maximum = max_bytes;
  return m;
}

static void erase(mediatool_transcode_memory *m) {
  for (int i = 0; i < m->count; i++) av_frame_free(&m->images[i]);
  av_freep(&m->images);
  packet_list_free(&m->audio);
  avcodec_parameters_free(&m->audio_parameters);
  *m = (mediatool_transcode_memory){.maximum = m->maximum};
}

void mediatool_transcode_memory_free(mediatool_transcode_memory *m) {
  if (!m) return;
  erase(m);
  av_free(m);
}

// Whether two tries take the same images and the same audio; only what the images are encoded with may differ.
static bool is_same(const mediatool_transcode_options *a, const mediatool_transcode_options *b) {
  return a->container == b->container && a->video == b->video && a->audio == b->audio && a->width == b->width &&
         a->height == b->height && a->shown_width == b->shown_width && a->shown_height == b->shown_height &&
         a->orientation == b->orientation && a->max_frame_rate == b->max_frame_rate && a->sample_rate == b->sample_rate &&
         a->channels == b->channels && a->audio_rate == b->audio_rate && a->max_seconds == b->max_seconds;
}

bool memory_is_of(const mediatool_transcode_options *options) {
  return options->memory && options->memory->is_whole && is_same(options, &options->memory->made_for);
}

static int64_t image_bytes(const mediatool_transcode_options *o) { return (int64_t)o->width * o->height * 3 / 2; }

void memory_begin(transcoder *t) {
  mediatool_transcode_memory *m = t->options->memory;
  if (!m) return;
  erase(m);
  // Where it is known before that it will be too much, decoding on for it would be in vain.
  double images = t->options->expected_seconds * t->options->max_frame_rate;
  if (!(images * (double)image_bytes(t->options) < (double)m->maximum)) return;
  m->made_for = *t->options;
  m->is_filling = true;
}

bool memory_is_filling(const transcoder *t) { return t->options->memory && t->options->memory->is_filling; }

void memory_add(transcoder *t, const AVFrame *image) {
  mediatool_transcode_memory *m = t->options->memory;
  if (!memory_is_filling(t)) return;
  bool has_room = m->bytes + image_bytes(t->options) <= m->maximum;
  if (has_room && m->count == m->capacity) {
    int capacity = m->capacity ? m->capacity * 2 : 64;
    AVFrame **images = av_realloc_array(m->images, (size_t)capacity, sizeof *images);
    if (images) {
      m->images = images;
      m->capacity = capacity;
    } else {
      has_room = false;
    }
  }
  AVFrame *kept = has_room ? av_frame_clone(image) : NULL;
  if (!kept) return erase(m);
  m->images[m->count++] = kept;
  m->bytes += image_bytes(t->options);
}

static bool keep_audio(mediatool_transcode_memory *m, const transcoder *t) {
  const track *audio = &t->audio;
  if (audio->packets.count == 0) return true;
  m->audio_base = audio->time_base;
  m->audio_parameters = avcodec_parameters_alloc();
  if (!m->audio_parameters || avcodec_parameters_copy(m->audio_parameters, audio->parameters) < 0) return false;
  for (int i = 0; i < audio->packets.count; i++) {
    AVPacket *copy = av_packet_clone(audio->packets.items[i]);
    bool is_kept = copy && packet_list_append(&m->audio, copy);
    av_packet_free(&copy);
    if (!is_kept) return false;
  }
  return true;
}

void memory_end(transcoder *t) {
  mediatool_transcode_memory *m = t->options->memory;
  if (!memory_is_filling(t)) return;
  if (!keep_audio(m, t)) return erase(m);
  m->is_filling = false;
  m->is_whole = true;
  m->is_cut = t->is_cut;
  m->frame_rate = t->frame_rate;
}

// Adds the audio that begins before some time, so that what the video will come to is foretold as it is with a source.
static int play_audio(transcoder *t, int *next, int64_t time, AVRational base) {
  const mediatool_transcode_memory *m = t->options->memory;
  while (*next < m->audio.count && (base.num == 0 || av_compare_ts(m->audio.items[*next]->pts, m->audio_base, time, base) <= 0)) {
    AVPacket *copy = av_packet_clone(m->audio.items[(*next)++]);
    int error = copy ? transcoder_add(t, &t->audio, copy) : AVERROR(ENOMEM);
    av_packet_free(&copy);
    if (error < 0) return error;
  }
  return 0;
}

int memory_play(transcoder *t) {
  const mediatool_transcode_memory *m = t->options->memory;
  t->frame_rate = m->frame_rate;
  t->is_cut = m->is_cut;
  t->quantizer = t->options->quantizer;
  if (m->audio.count > 0) {
    t->audio.time_base = m->audio_base;
    t->audio.parameters = avcodec_parameters_alloc();
    if (!t->audio.parameters || avcodec_parameters_copy(t->audio.parameters, m->audio_parameters) < 0) return AVERROR(ENOMEM);
  }
  int next = 0, error = 0;
  for (int i = 0; i < m->count && error >= 0; i++) {
    if (mediatool_input_timed_out(t->input)) return AVERROR_EXIT;
    error = play_audio(t, &next, m->images[i]->pts, video_time_base(t));
    if (error >= 0) error = av_frame_ref(t->image, m->images[i]);
    if (error >= 0) error = video_encode(t);
    av_frame_unref(t->image);
  }
  if (error >= 0) error = play_audio(t, &next, 0, (AVRational){0, 1});
  return error < 0 ? error : video_end(t);
}
