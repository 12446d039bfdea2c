#include "transcode.h"

struct mediatool_transcode_memory {
  int64_t most, bytes;
  mediatool_transcode_options made_for;
  bool is_filling, is_whole;
  AVFrame **pictures;
  int count, capacity;
  packet_list sound;
  AVCodecParameters *sound_parameters;
  AVRational sound_base, frame_rate;
  bool is_cut;
};

mediatool_transcode_memory *mediatool_transcode_memory_new(int64_t most_bytes) {
  mediatool_transcode_memory *m = av_mallocz(sizeof *m);
  if (m) m->most = most_bytes;
  return m;
}

static void forget(mediatool_transcode_memory *m) {
  for (int i = 0; i < m->count; i++) av_frame_free(&m->pictures[i]);
  av_freep(&m->pictures);
  packet_list_free(&m->sound);
  avcodec_parameters_free(&m->sound_parameters);
  *m = (mediatool_transcode_memory){.most = m->most};
}

void mediatool_transcode_memory_free(mediatool_transcode_memory *m) {
  if (!m) return;
  forget(m);
  av_free(m);
}

// Whether two tries take the same pictures and the same sound; only what the pictures are encoded with may differ.
static bool is_same(const mediatool_transcode_options *a, const mediatool_transcode_options *b) {
  return a->container == b->container && a->video == b->video && a->sound == b->sound && a->width == b->width &&
         a->height == b->height && a->shown_width == b->shown_width && a->shown_height == b->shown_height &&
         a->orientation == b->orientation && a->max_frame_rate == b->max_frame_rate && a->sample_rate == b->sample_rate &&
         a->channels == b->channels && a->sound_rate == b->sound_rate && a->max_seconds == b->max_seconds;
}

bool memory_is_of(const mediatool_transcode_options *options) {
  return options->memory && options->memory->is_whole && is_same(options, &options->memory->made_for);
}

static int64_t picture_bytes(const mediatool_transcode_options *o) { return (int64_t)o->width * o->height * 3 / 2; }

void memory_begin(transcoder *t) {
  mediatool_transcode_memory *m = t->options->memory;
  if (!m) return;
  forget(m);
  // Where it is known before that it will be too much, decoding on for it would be in vain.
  double pictures = t->options->expected_seconds * t->options->max_frame_rate;
  if (!(pictures * (double)picture_bytes(t->options) < (double)m->most)) return;
  m->made_for = *t->options;
  m->is_filling = true;
}

bool memory_is_filling(const transcoder *t) { return t->options->memory && t->options->memory->is_filling; }

void memory_add(transcoder *t, const AVFrame *picture) {
  mediatool_transcode_memory *m = t->options->memory;
  if (!memory_is_filling(t)) return;
  bool has_room = m->bytes + picture_bytes(t->options) <= m->most;
  if (has_room && m->count == m->capacity) {
    int capacity = m->capacity ? m->capacity * 2 : 64;
    AVFrame **pictures = av_realloc_array(m->pictures, (size_t)capacity, sizeof *pictures);
    if (pictures) {
      m->pictures = pictures;
      m->capacity = capacity;
    } else {
      has_room = false;
    }
  }
  AVFrame *kept = has_room ? av_frame_clone(picture) : NULL;
  if (!kept) return forget(m);
  m->pictures[m->count++] = kept;
  m->bytes += picture_bytes(t->options);
}

static bool keep_sound(mediatool_transcode_memory *m, const transcoder *t) {
  const track *sound = &t->sound;
  if (sound->packets.count == 0) return true;
  m->sound_base = sound->time_base;
  m->sound_parameters = avcodec_parameters_alloc();
  if (!m->sound_parameters || avcodec_parameters_copy(m->sound_parameters, sound->parameters) < 0) return false;
  for (int i = 0; i < sound->packets.count; i++) {
    AVPacket *copy = av_packet_clone(sound->packets.items[i]);
    bool is_kept = copy && packet_list_append(&m->sound, copy);
    av_packet_free(&copy);
    if (!is_kept) return false;
  }
  return true;
}

void memory_end(transcoder *t) {
  mediatool_transcode_memory *m = t->options->memory;
  if (!memory_is_filling(t)) return;
  if (!keep_sound(m, t)) return forget(m);
  m->is_filling = false;
  m->is_whole = true;
  m->is_cut = t->is_cut;
  m->frame_rate = t->frame_rate;
}

// Adds the sound that begins before some time, so that what the film will come to is foretold as it is with a source.
static int play_sound(transcoder *t, int *next, int64_t time, AVRational base) {
  const mediatool_transcode_memory *m = t->options->memory;
  while (*next < m->sound.count && (base.num == 0 || av_compare_ts(m->sound.items[*next]->pts, m->sound_base, time, base) <= 0)) {
    AVPacket *copy = av_packet_clone(m->sound.items[(*next)++]);
    int error = copy ? transcoder_add(t, &t->sound, copy) : AVERROR(ENOMEM);
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
  if (m->sound.count > 0) {
    t->sound.time_base = m->sound_base;
    t->sound.parameters = avcodec_parameters_alloc();
    if (!t->sound.parameters || avcodec_parameters_copy(t->sound.parameters, m->sound_parameters) < 0) return AVERROR(ENOMEM);
  }
  int next = 0, error = 0;
  for (int i = 0; i < m->count && error >= 0; i++) {
    if (mediatool_input_timed_out(t->input)) return AVERROR_EXIT;
    error = play_sound(t, &next, m->pictures[i]->pts, video_time_base(t));
    if (error >= 0) error = av_frame_ref(t->picture, m->pictures[i]);
    if (error >= 0) error = video_encode(t);
    av_frame_unref(t->picture);
  }
  if (error >= 0) error = play_sound(t, &next, 0, (AVRational){0, 1});
  return error < 0 ? error : video_end(t);
}
