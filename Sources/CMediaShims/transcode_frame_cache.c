#include "transcode_frame_cache.h"

mediatool_frame_cache *mediatool_frame_cache_new(int64_t max_bytes) {
  mediatool_frame_cache *c = av_mallocz(sizeof *c);
  if (c) c->maximum = max_bytes;
  return c;
}

static void erase(mediatool_frame_cache *c) {
  for (int i = 0; i < c->count; i++) av_frame_free(&c->images[i]);
  av_freep(&c->images);
  packet_list_free(&c->audio);
  avcodec_parameters_free(&c->audio_parameters);
  *c = (mediatool_frame_cache){.maximum = c->maximum};
}

void mediatool_frame_cache_free(mediatool_frame_cache *c) {
  if (!c) return;
  erase(c);
  av_free(c);
}

// Whether two attempts use the same frames and audio, and differ only in how frames are encoded.
static bool is_same(const mediatool_transcode_options *a, const mediatool_transcode_options *b) {
  return a->container == b->container && a->video == b->video && a->audio == b->audio && a->width == b->width &&
         a->height == b->height && a->shown_width == b->shown_width && a->shown_height == b->shown_height &&
         a->orientation == b->orientation && a->max_frame_rate == b->max_frame_rate && a->sample_rate == b->sample_rate &&
         a->channels == b->channels && a->audio_rate == b->audio_rate && a->max_seconds == b->max_seconds;
}

bool frame_cache_has(const mediatool_transcode_options *options) {
  return options->cache && options->cache->is_complete && is_same(options, &options->cache->options);
}

static int64_t image_bytes(const mediatool_transcode_options *o) { return (int64_t)o->width * o->height * 3 / 2; }

void frame_cache_begin(transcoder *t) {
  mediatool_frame_cache *c = t->options->cache;
  if (!c) return;
  erase(c);
  // Nothing is kept if the total is known to exceed the maximum.
  double images = t->options->expected_seconds * t->options->max_frame_rate;
  if (!(images * (double)image_bytes(t->options) < (double)c->maximum)) return;
  c->options = *t->options;
  c->is_filling = true;
}

bool frame_cache_is_filling(const transcoder *t) { return t->options->cache && t->options->cache->is_filling; }

void frame_cache_add(transcoder *t, const AVFrame *image) {
  mediatool_frame_cache *c = t->options->cache;
  if (!frame_cache_is_filling(t)) return;
  bool has_room = c->bytes + image_bytes(t->options) <= c->maximum;
  if (has_room && c->count == c->capacity) {
    int capacity = c->capacity ? c->capacity * 2 : 64;
    AVFrame **images = av_realloc_array(c->images, (size_t)capacity, sizeof *images);
    if (images) {
      c->images = images;
      c->capacity = capacity;
    } else {
      has_room = false;
    }
  }
  AVFrame *kept = has_room ? av_frame_clone(image) : NULL;
  if (!kept) return erase(c);
  c->images[c->count++] = kept;
  c->bytes += image_bytes(t->options);
}

static bool keep_audio(mediatool_frame_cache *c, const transcoder *t) {
  const track *audio = &t->audio;
  if (audio->packets.count == 0) return true;
  c->audio_base = audio->time_base;
  c->audio_parameters = avcodec_parameters_alloc();
  if (!c->audio_parameters || avcodec_parameters_copy(c->audio_parameters, audio->parameters) < 0) return false;
  for (int i = 0; i < audio->packets.count; i++) {
    AVPacket *copy = av_packet_clone(audio->packets.items[i]);
    bool is_kept = copy && packet_list_append(&c->audio, copy);
    av_packet_free(&copy);
    if (!is_kept) return false;
  }
  return true;
}

void frame_cache_end(transcoder *t) {
  mediatool_frame_cache *c = t->options->cache;
  if (!frame_cache_is_filling(t)) return;
  if (!keep_audio(c, t)) return erase(c);
  c->is_filling = false;
  c->is_complete = true;
  c->is_cut = t->is_cut;
  c->frame_rate = t->frame_rate;
}
