#include "transcode.h"

#include "mediatool_avio.h"
#include "transcode_amr.h"
#include "transcode_audio.h"
#include "transcode_copy.h"
#include "transcode_frame_cache.h"
#include "transcode_mux.h"
#include "transcode_output.h"
#include "transcode_replay.h"
#include "transcode_video.h"
#include "video.h"

// Limits on reading to complete the header, and on the streams of a file; the same as for posters.
enum { probe_bytes = 5000000, probe_microseconds = 5000000, max_streams = 256 };
// Number of consecutive invalid frames and packets after which the transcoder stops.
enum { max_failures = 10000 };
// Of several audio streams the one marked as default, else the first.
static AVStream *first_audio(const AVFormatContext *container) {
  AVStream *first = NULL;
  for (unsigned i = 0; i < container->nb_streams; i++) {
    AVStream *stream = container->streams[i];
    if (stream->codecpar->codec_type != AVMEDIA_TYPE_AUDIO || stream->codecpar->codec_id == AV_CODEC_ID_NONE) continue;
    if (stream->disposition & AV_DISPOSITION_DEFAULT) return stream;
    if (!first) first = stream;
  }
  return first;
}

static mediatool_transcode_status converted(mediatool_av_status status) {
  switch (status) {
    case MEDIATOOL_AV_OK: return MEDIATOOL_TRANSCODE_OK;
    case MEDIATOOL_AV_UNSUPPORTED: return MEDIATOOL_TRANSCODE_UNSUPPORTED;
    case MEDIATOOL_AV_NO_MEMORY: return MEDIATOOL_TRANSCODE_NO_MEMORY;
    case MEDIATOOL_AV_INPUT: return MEDIATOOL_TRANSCODE_INPUT;
    default: return MEDIATOOL_TRANSCODE_CORRUPT;
  }
}

static mediatool_transcode_status start_track(transcoder *t, track *track, mediatool_coding coding) {
  track->coding = coding;
  if (coding == MEDIATOOL_CODING_COPY) return copy_start(t, track);
  return track == &t->video ? video_start(t) : audio_start(t);
}

// The start of the earlier of video and audio, in microseconds: the zero point of players.
static int64_t start_of(const transcoder *t) {
  int64_t start = INT64_MAX;
  const AVStream *streams[] = {t->video.stream, t->audio.stream};
  for (int i = 0; i < 2; i++) {
    if (!streams[i] || streams[i]->start_time == AV_NOPTS_VALUE) continue;
    int64_t time = av_rescale_q(streams[i]->start_time, streams[i]->time_base, AV_TIME_BASE_Q);
    if (time != INT64_MIN && time < start) start = time;
  }
  return start == INT64_MAX ? 0 : start;
}

static mediatool_transcode_status open_source(transcoder *t) {
  const mediatool_transcode_options *o = t->options;
  mediatool_av_options opening = {
    .demuxer = o->demuxer, .decoders = o->decoders, .probe_bytes = probe_bytes, .probe_microseconds = probe_microseconds,
    .max_streams = max_streams};
  mediatool_av_status opened = mediatool_av_open(t->input, &opening, &t->container);
  if (opened != MEDIATOOL_AV_OK) return converted(opened);
  opened = mediatool_av_read_stream_info(t->container);
  // What was found so far may be enough.
  if (opened == MEDIATOOL_AV_INPUT || opened == MEDIATOOL_AV_NO_MEMORY) return converted(opened);
  if (o->video != MEDIATOOL_CODING_NONE) t->video.stream = mediatool_av_video(t->container, o->decoders);
  if (o->audio != MEDIATOOL_CODING_NONE) t->audio.stream = first_audio(t->container);
  bool is_video = o->video != MEDIATOOL_CODING_NONE;
  if (is_video ? !t->video.stream : !t->audio.stream) return MEDIATOOL_TRANSCODE_NONE;
  for (unsigned i = 0; i < t->container->nb_streams; i++) {
    AVStream *stream = t->container->streams[i];
    stream->discard = stream == t->video.stream || stream == t->audio.stream ? AVDISCARD_DEFAULT : AVDISCARD_ALL;
  }
  t->start = start_of(t);
  if (is_video) {
    const AVCodecParameters *p = t->video.stream->codecpar;
    if (p->width > 0 && p->height > 0 && (int64_t)p->width * p->height > o->max_pixels) return MEDIATOOL_TRANSCODE_TOO_LARGE;
    mediatool_transcode_status status = start_track(t, &t->video, o->video);
    if (status != MEDIATOOL_TRANSCODE_OK) return status;
  }
  if (!t->audio.stream) return MEDIATOOL_TRANSCODE_OK;
  mediatool_transcode_status status = start_track(t, &t->audio, o->audio);
  // A video whose audio cannot be decoded becomes silent.
  if (status == MEDIATOOL_TRANSCODE_UNSUPPORTED && is_video) {
    t->audio.stream->discard = AVDISCARD_ALL;
    t->audio.stream = NULL;
    return MEDIATOOL_TRANSCODE_OK;
  }
  return status;
}

static int decode(transcoder *t, track *track, AVPacket *packet) {
  // A packet that the decoder rejects is a gap, as in players.
  int error = avcodec_send_packet(track->decoder, packet) == AVERROR(ENOMEM) ? AVERROR(ENOMEM) : 0;
  while (error >= 0 && avcodec_receive_frame(track->decoder, t->frame) >= 0) {
    if (track == &t->video) {
      bool is_image = t->frame->width > 0 && t->frame->height > 0;
      t->is_too_large = is_image && (int64_t)t->frame->width * t->frame->height > t->options->max_pixels;
      if (t->is_too_large) return AVERROR_INVALIDDATA;
      if (is_image) error = video_take(t, t->frame);
    } else if (t->frame->sample_rate > 0) {
      error = audio_take(t, t->frame);
    }
    av_frame_unref(t->frame);
    if (mediatool_av_input_failed(t->container)) return AVERROR_EXIT;
  }
  return error;
}

static bool has_ended(const track *track) { return !track->stream || track->is_done; }

static int run(transcoder *t) {
  int failures = 0, error = 0;
  while (error >= 0 && !(has_ended(&t->video) && has_ended(&t->audio))) {
    if (mediatool_av_input_failed(t->container)) return AVERROR_EXIT;
    // Without a cache to fill, decoding stops here.
    if (t->is_over_limit && !frame_cache_is_filling(t)) return AVERROR(ENOSPC);
    int status = av_read_frame(t->container, t->packet);
    if (status == AVERROR(EAGAIN) && ++failures < max_failures) continue;
    if (status == AVERROR(ENOMEM)) return status;
    // The end of the video, or of the part that exists.
    if (status < 0) break;
    AVStream *stream = t->container->streams[t->packet->stream_index];
    track *track = stream == t->video.stream ? &t->video : stream == t->audio.stream ? &t->audio : NULL;
    if (track && !track->is_done)
      error = track->coding == MEDIATOOL_CODING_COPY ? copy_take(t, track, t->packet) : decode(t, track, t->packet);
    av_packet_unref(t->packet);
  }
  if (mediatool_av_input_failed(t->container)) return AVERROR_EXIT;
  if (error >= 0 && t->video.decoder) error = decode(t, &t->video, NULL);
  if (error >= 0 && t->video.decoder) error = video_end(t);
  if (error >= 0 && t->audio.decoder) error = decode(t, &t->audio, NULL);
  if (error >= 0 && t->audio.decoder) error = audio_take(t, NULL);
  if (error >= 0) frame_cache_end(t);
  return error;
}

static void release_track(track *track) {
  packet_list_free(&track->packets);
  avcodec_free_context(&track->decoder);
  avcodec_free_context(&track->encoder);
  avcodec_parameters_free(&track->parameters);
  av_bsf_free(&track->filter);
}

static void release(transcoder *t) {
  release_track(&t->video);
  release_track(&t->audio);
  frame_converter_free(&t->converter);
  swr_free(&t->resampler);
  av_channel_layout_uninit(&t->resampler_input.layout);
  if (t->fifo) av_audio_fifo_free(t->fifo);
  amr_close(t->amr);
  av_packet_free(&t->packet);
  av_packet_free(&t->coded);
  av_frame_free(&t->frame);
  av_frame_free(&t->image);
  if (t->container) mediatool_av_close(t->container);
}

static mediatool_transcode_status why(const transcoder *t, int error) {
  if (t->container && mediatool_av_input_failed(t->container)) return MEDIATOOL_TRANSCODE_INPUT;
  if (mediatool_input_timed_out(t->input)) return MEDIATOOL_TRANSCODE_INPUT;
  if (t->is_over_limit || error == AVERROR(ENOSPC)) return MEDIATOOL_TRANSCODE_OVER;
  if (t->is_too_large) return MEDIATOOL_TRANSCODE_TOO_LARGE;
  if (error == AVERROR(ENOMEM)) return MEDIATOOL_TRANSCODE_NO_MEMORY;
  if (error == AVERROR_ENCODER_NOT_FOUND) return MEDIATOOL_TRANSCODE_NO_ENCODER;
  bool is_copy = t->video.coding == MEDIATOOL_CODING_COPY || t->audio.coding == MEDIATOOL_CODING_COPY;
  return is_copy ? MEDIATOOL_TRANSCODE_NOT_IN_CLASS : MEDIATOOL_TRANSCODE_CORRUPT;
}

mediatool_transcode_status mediatool_transcode(
  mediatool_input *input, const mediatool_transcode_options *options, mediatool_transcode_result *result) {
  *result = (mediatool_transcode_result){0};
  transcoder t = {
    .options = options, .input = input, .packet = av_packet_alloc(), .coded = av_packet_alloc(), .frame = av_frame_alloc(),
    .image = av_frame_alloc()};
  mediatool_transcode_status status = MEDIATOOL_TRANSCODE_NO_MEMORY;
  bool has_all = t.packet && t.coded && t.frame && t.image, is_cached = frame_cache_has(options);
  if (has_all) status = is_cached ? MEDIATOOL_TRANSCODE_OK : open_source(&t);
  if (status == MEDIATOOL_TRANSCODE_OK) {
    if (!is_cached) frame_cache_begin(&t);
    int error = is_cached ? replay_cache(&t) : run(&t);
    *result = t.is_over_limit ? t.over_limit_result : transcoder_summary(&t);
    result->is_from_cache = is_cached;
    if (error >= 0 && t.is_over_limit) error = AVERROR(ENOSPC);
    // A video without a frame is invalid, however much audio it has.
    if (error >= 0 && options->video != MEDIATOOL_CODING_NONE && t.video.packets.count == 0) error = AVERROR_INVALIDDATA;
    if (error >= 0) error = transcoder_mux(&t, result);
    if (error < 0) status = why(&t, error);
  }
  release(&t);
  return status;
}

void mediatool_transcode_free(mediatool_transcode_result *result) { av_freep(&result->bytes); }

bool mediatool_can_encode(mediatool_coding coding) {
  switch (coding) {
    case MEDIATOOL_CODING_H264: return avcodec_find_encoder_by_name("libx264") != NULL;
    case MEDIATOOL_CODING_H263: return avcodec_find_encoder_by_name("h263") != NULL;
    case MEDIATOOL_CODING_AAC: return avcodec_find_encoder_by_name("aac") != NULL;
    case MEDIATOOL_CODING_AMR: return amr_is_available();
    default: return true;
  }
}
