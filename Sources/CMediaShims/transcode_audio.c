#include "transcode_audio.h"

#include <libavutil/opt.h>

#include "transcode_amr.h"
#include "transcode_decoder.h"
#include "transcode_output.h"

// Maximum deviation of timestamps before samples are inserted or dropped, because clocks of containers are coarse. Less than a visible
// lip-sync error (ITU-R BT.1359: 45 ms early).
enum { tolerance_milliseconds = 40 };

static enum AVSampleFormat format_of(const transcoder *t) {
  return t->options->audio == MEDIATOOL_CODING_AMR ? AV_SAMPLE_FMT_S16 : AV_SAMPLE_FMT_FLTP;
}

static mediatool_transcode_status open_aac(transcoder *t) {
  const mediatool_transcode_options *o = t->options;
  // Encoders of libavcodec.
  const AVCodec *codec = avcodec_find_encoder_by_name("aac");
  if (!codec) return MEDIATOOL_TRANSCODE_NO_ENCODER;
  AVCodecContext *c = t->audio.encoder = avcodec_alloc_context3(codec);
  if (!c) return MEDIATOOL_TRANSCODE_NO_MEMORY;
  c->sample_rate = o->sample_rate;
  c->sample_fmt = AV_SAMPLE_FMT_FLTP;
  c->bit_rate = o->audio_rate;
  c->profile = FF_PROFILE_AAC_LOW;
  c->thread_count = 1;
  c->time_base = (AVRational){1, o->sample_rate};
  c->flags |= AV_CODEC_FLAG_GLOBAL_HEADER | AV_CODEC_FLAG_BITEXACT;
  av_channel_layout_default(&c->ch_layout, o->channels);
  int error = avcodec_open2(c, codec, NULL);
  if (error < 0) return error == AVERROR(ENOMEM) ? MEDIATOOL_TRANSCODE_NO_MEMORY : MEDIATOOL_TRANSCODE_NO_ENCODER;
  t->audio.time_base = c->time_base;
  t->audio.parameters = avcodec_parameters_alloc();
  bool is_set = t->audio.parameters && avcodec_parameters_from_context(t->audio.parameters, c) >= 0;
  return is_set ? MEDIATOOL_TRANSCODE_OK : MEDIATOOL_TRANSCODE_NO_MEMORY;
}

static mediatool_transcode_status open_amr(transcoder *t) {
  if (!amr_is_available()) return MEDIATOOL_TRANSCODE_NO_ENCODER;
  t->amr = amr_open();
  AVCodecParameters *p = t->audio.parameters = avcodec_parameters_alloc();
  if (!t->amr || !p) return MEDIATOOL_TRANSCODE_NO_MEMORY;
  p->codec_type = AVMEDIA_TYPE_AUDIO;
  p->codec_id = AV_CODEC_ID_AMR_NB;
  p->sample_rate = amr_rate;
  p->frame_size = amr_frame;
  av_channel_layout_default(&p->ch_layout, 1);
  t->audio.time_base = (AVRational){1, amr_rate};
  return MEDIATOOL_TRANSCODE_OK;
}

mediatool_transcode_status audio_start(transcoder *t) {
  mediatool_transcode_status status = t->options->audio == MEDIATOOL_CODING_AMR ? open_amr(t) : open_aac(t);
  if (status != MEDIATOOL_TRANSCODE_OK) return status;
  t->fifo = av_audio_fifo_alloc(format_of(t), t->options->channels, 4096);
  if (!t->fifo) return MEDIATOOL_TRANSCODE_NO_MEMORY;
  return transcoder_open_decoder(t, &t->audio);
}

// Creates a resampler for frames of this format, unless the current one fits.
static bool prepare(transcoder *t, const AVFrame *frame) {
  AVChannelLayout layout = {0};
  if (frame->ch_layout.order == AV_CHANNEL_ORDER_UNSPEC) {
    av_channel_layout_default(&layout, frame->ch_layout.nb_channels);
  } else if (av_channel_layout_copy(&layout, &frame->ch_layout) < 0) {
    return false;
  }
  bool is_same = t->resampler && t->resampler_input.format == frame->format && t->resampler_input.rate == frame->sample_rate &&
                 av_channel_layout_compare(&layout, &t->resampler_input.layout) == 0;
  if (is_same) {
    av_channel_layout_uninit(&layout);
    return true;
  }
  swr_free(&t->resampler);
  av_channel_layout_uninit(&t->resampler_input.layout);
  t->resampler_input.format = frame->format;
  t->resampler_input.rate = frame->sample_rate;
  t->resampler_input.layout = layout;
  AVChannelLayout out = {0};
  av_channel_layout_default(&out, t->options->channels);
  int error = swr_alloc_set_opts2(
    &t->resampler, &out, format_of(t), t->options->sample_rate, &layout, (enum AVSampleFormat)frame->format, frame->sample_rate, 0, NULL);
  if (error >= 0) error = swr_init(t->resampler);
  if (error < 0) swr_free(&t->resampler);
  return error >= 0;
}

static AVFrame *new_audio(const transcoder *t, int samples) {
  AVFrame *frame = av_frame_alloc();
  if (!frame) return NULL;
  frame->format = format_of(t);
  frame->sample_rate = t->options->sample_rate;
  frame->nb_samples = samples;
  av_channel_layout_default(&frame->ch_layout, t->options->channels);
  if (av_frame_get_buffer(frame, 0) < 0) av_frame_free(&frame);
  return frame;
}

static int encode(transcoder *t, AVFrame *frame) {
  if (t->amr) {
    if (!frame) return 0;
    int error = av_new_packet(t->coded, amr_max_bytes);
    if (error < 0) return error;
    int size = amr_encode(t->amr, t->options->audio_rate, (const int16_t *)frame->data[0], t->coded->data);
    if (size < 1 || size > amr_max_bytes) return AVERROR_EXTERNAL;
    av_shrink_packet(t->coded, size);
    t->coded->pts = t->coded->dts = frame->pts;
    t->coded->duration = amr_frame;
    t->coded->flags |= AV_PKT_FLAG_KEY;
    return transcoder_add(t, &t->audio, t->coded);
  }
  int error = avcodec_send_frame(t->audio.encoder, frame);
  while (error >= 0) {
    error = avcodec_receive_packet(t->audio.encoder, t->coded);
    if (error >= 0) error = transcoder_add(t, &t->audio, t->coded);
  }
  return error == AVERROR(EAGAIN) || error == AVERROR_EOF ? 0 : error;
}

// Encodes the queue in frames of the codec's length; at the end also the shorter rest.
static int flush_fifo(transcoder *t, bool is_end) {
  int length = t->amr ? amr_frame : t->audio.encoder->frame_size;
  int error = 0;
  while (error >= 0 && (av_audio_fifo_size(t->fifo) >= length || (is_end && av_audio_fifo_size(t->fifo) > 0))) {
    int count = FFMIN(length, av_audio_fifo_size(t->fifo));
    AVFrame *frame = new_audio(t, t->amr ? length : count);
    if (!frame) return AVERROR(ENOMEM);
    if (t->amr) av_samples_set_silence(frame->data, 0, length, t->options->channels, format_of(t));
    frame->pts = t->samples_out;
    error = av_audio_fifo_read(t->fifo, (void **)frame->data, count);
    t->samples_out += count;
    if (error >= 0) error = encode(t, frame);
    av_frame_free(&frame);
  }
  return error;
}

static int64_t max_samples(const transcoder *t) { return av_rescale(transcoder_end(t), t->options->sample_rate, ticks_a_second); }

// Adds the samples of a frame from a position on, up to the end of the video.
static int queue(transcoder *t, AVFrame *frame, int from) {
  int64_t room = max_samples(t) - t->samples_in;
  int count = frame->nb_samples - from;
  if (count > room) {
    count = (int)FFMAX(0, room);
    t->audio.is_done = t->is_cut = true;
  }
  if (count <= 0) return 0;
  uint8_t *planes[8] = {0};
  int size = av_get_bytes_per_sample(format_of(t)), is_planar = av_sample_fmt_is_planar(format_of(t));
  for (int i = 0; i < (is_planar ? t->options->channels : 1); i++)
    planes[i] = frame->data[i] + (size_t)from * (size_t)size * (size_t)(is_planar ? 1 : t->options->channels);
  int written = av_audio_fifo_write(t->fifo, (void **)planes, count);
  if (written < 0) return written;
  t->samples_in += count;
  return flush_fifo(t, false);
}

static int queue_silence(transcoder *t, int64_t samples) {
  int error = 0;
  while (samples > 0 && error >= 0 && !t->audio.is_done) {
    // A file may state a gap of days.
    if (mediatool_input_timed_out(t->input)) return AVERROR_EXIT;
    int count = (int)FFMIN(samples, 8192);
    AVFrame *frame = new_audio(t, count);
    if (!frame) return AVERROR(ENOMEM);
    av_samples_set_silence(frame->data, 0, count, t->options->channels, format_of(t));
    error = queue(t, frame, 0);
    av_frame_free(&frame);
    samples -= count;
  }
  return error;
}

// Resamples a frame to the output's rate and layout.
static int resample(transcoder *t, const AVFrame *frame, AVFrame **out) {
  int count = swr_get_out_samples(t->resampler, frame ? frame->nb_samples : 0);
  *out = NULL;
  if (count <= 0) return 0;
  AVFrame *output = new_audio(t, count);
  if (!output) return AVERROR(ENOMEM);
  const uint8_t **data = frame ? (const uint8_t **)frame->extended_data : NULL;
  int samples = swr_convert(t->resampler, output->data, count, data, frame ? frame->nb_samples : 0);
  if (samples <= 0) {
    av_frame_free(&output);
    return 0;
  }
  output->nb_samples = samples;
  *out = output;
  return 0;
}

int audio_take(transcoder *t, const AVFrame *frame) {
  if (t->audio.is_done && frame) return 0;
  if (frame && !prepare(t, frame)) return 0;
  int from = 0, error = 0;
  int64_t ticks;
  if (frame && transcoder_time(t, frame->best_effort_timestamp, t->audio.stream->time_base, &ticks)) {
    // Samples that are still in the resampler precede this frame.
    int64_t waiting = swr_get_delay(t->resampler, t->options->sample_rate);
    int64_t gap = av_rescale(ticks, t->options->sample_rate, ticks_a_second) - t->samples_in - waiting;
    int64_t tolerance = (int64_t)t->options->sample_rate * tolerance_milliseconds / 1000;
    // Fills gaps with silence, up to the maximum duration.
    if (gap > tolerance || (gap > 0 && t->samples_in == 0)) error = queue_silence(t, FFMIN(gap, max_samples(t)));
    if (gap < -tolerance || (gap < 0 && t->samples_in == 0)) from = (int)FFMIN(-gap, INT_MAX);
  }
  AVFrame *output = NULL;
  if (error >= 0 && t->resampler) error = resample(t, frame, &output);
  if (error >= 0 && output && from < output->nb_samples) error = queue(t, output, from);
  av_frame_free(&output);
  if (frame || error < 0) return error;
  if (t->samples_in == 0) return 0;
  error = flush_fifo(t, true);
  return error < 0 ? error : encode(t, NULL);
}
