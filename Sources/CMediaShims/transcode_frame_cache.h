// Private to the shims: the frames of one attempt, kept for the next.
#ifndef MEDIATOOL_TRANSCODE_FRAME_CACHE_H
#define MEDIATOOL_TRANSCODE_FRAME_CACHE_H

#include "transcode.h"

struct mediatool_frame_cache {
  int64_t maximum, bytes;
  mediatool_transcode_options options;  // of the attempt that filled it
  bool is_filling, is_complete;
  AVFrame **images;
  int count, capacity;
  packet_list audio;
  AVCodecParameters *audio_parameters;
  AVRational audio_base, frame_rate;
  bool is_cut;
};

// The cache in the options, if there is one. An attempt fills it from beginning to end.

// Whether it contains all frames of an attempt with these options.
bool frame_cache_has(const mediatool_transcode_options *options);
void frame_cache_begin(transcoder *t);
void frame_cache_add(transcoder *t, const AVFrame *image);
void frame_cache_end(transcoder *t);
bool frame_cache_is_filling(const transcoder *t);

#endif
