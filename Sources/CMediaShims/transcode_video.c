#include "transcode_video.h"

#include <libavutil/cpu.h>
#include <libavutil/opt.h>
#include <math.h>

#include "frame_color.h"
#include "transcode_decoder.h"
#include "transcode_frame_cache.h"
#include "transcode_output.h"

// Maximum seconds between key frames: 250 frames, the default of x264.
enum { key_seconds = 10 };
// How fast the quantiser is adjusted: the number of frames until it reaches its target, and the maximum change per
// frame.
static const double frames_to_turn = 12, max_step = 0.15;
// The preset of x264: for Baseline, "faster" is within a hundredth of the similarity of "medium" in less than half of the time.
static const char preset[] = "faster";

// The number of reference frames that a level allows (ITU-T H.264, table A-1, MaxDpbMbs).
static int max_references(int level, int width, int height) {
  static const struct { int level, blocks; } sizes[] = {
    {9, 396}, {10, 396}, {11, 900}, {12, 2376}, {13, 2376}, {20, 2376}, {21, 4752}, {22, 8100},
    {30, 8100}, {31, 18000}, {32, 20480}, {40, 32768}, {41, 32768}, {42, 34816}, {50, 110400}, {51, 184320}};
  int blocks = ((width + 15) / 16) * ((height + 15) / 16), room = 396;
  for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++)
    if (sizes[i].level <= level) room = sizes[i].blocks;
  return FFMAX(1, FFMIN(3, room / FFMAX(1, blocks)));
}

static AVRational rate_of(const transcoder *t) {
  AVRational rate = t->video.stream->avg_frame_rate;
  double maximum = t->options->max_frame_rate, stated = rate.den > 0 ? av_q2d(rate) : 0;
  return stated >= 1 && stated <= maximum ? rate : av_d2q(maximum, 1001000);
}

// Which of the processor's instructions x264 may use; NULL for all. Its code for AVX-512 (mbtree_propagate_list of version 0.164) reads memory
// that was never written if the width is no multiple of 256, so that earlier jobs of a process decide about the bytes.
static const char *instruction_sets(void) {
#if defined(__x86_64__)
  if (av_get_cpu_flags() & AV_CPU_FLAG_AVX512) return "asm=avx2";
#endif
  return NULL;
}

static void set_h264(const transcoder *t, AVCodecContext *c, AVDictionary **options) {
  const mediatool_transcode_options *o = t->options;
  // With one thread x264 always makes the same decisions.
  c->time_base = TICKS;
  c->framerate = t->frame_rate;
  c->profile = FF_PROFILE_H264_CONSTRAINED_BASELINE;
  c->level = o->level;
  c->refs = max_references(o->level, o->width, o->height);
  c->max_b_frames = 0;
  c->gop_size = (int)ceil(key_seconds * av_q2d(c->framerate));
  if (o->max_rate > 0) {
    c->rc_max_rate = o->max_rate;
    c->rc_buffer_size = (int)FFMIN(o->buffer_size, INT_MAX);
  }
  av_dict_set(options, "preset", preset, 0);
  av_dict_set(options, "profile", "baseline", 0);
  char quality[32];
  snprintf(quality, sizeof quality, "%.4f", o->quantizer);
  av_dict_set(options, "crf", quality, 0);
  const char *instructions = instruction_sets();
  if (instructions) av_dict_set(options, "x264-params", instructions, 0);
}

// H.263 has the clock of NTSC television: frame times are multiples of its period.
static int h263_step(const transcoder *t) {
  return t->options->max_frame_rate < 14.9 ? 3 : t->options->max_frame_rate < 29.9 ? 2 : 1;
}

AVRational video_time_base(const transcoder *t) {
  return t->options->video == MEDIATOOL_CODING_H264 ? TICKS : (AVRational){1001 * h263_step(t), 30000};
}

static void set_h263(const transcoder *t, AVCodecContext *c) {
  c->time_base = video_time_base(t);
  c->gop_size = (int)ceil(key_seconds * 30.0 / h263_step(t));
  c->flags |= AV_CODEC_FLAG_QSCALE;
  c->global_quality = FF_QP2LAMBDA * 2;
  c->mb_decision = FF_MB_DECISION_RD;
}

static mediatool_transcode_status open_encoder(transcoder *t) {
  const mediatool_transcode_options *o = t->options;
  bool is_h264 = o->video == MEDIATOOL_CODING_H264;
  const AVCodec *codec = avcodec_find_encoder_by_name(is_h264 ? "libx264" : "h263");
  if (!codec) return MEDIATOOL_TRANSCODE_NO_ENCODER;
  AVCodecContext *c = t->video.encoder = avcodec_alloc_context3(codec);
  if (!c) return MEDIATOOL_TRANSCODE_NO_MEMORY;
  c->width = o->width;
  c->height = o->height;
  c->pix_fmt = AV_PIX_FMT_YUV420P;
  c->sample_aspect_ratio = (AVRational){1, 1};
  c->thread_count = 1;
  c->flags |= AV_CODEC_FLAG_GLOBAL_HEADER | AV_CODEC_FLAG_BITEXACT;
  c->color_range = AVCOL_RANGE_MPEG;
  c->colorspace = t->image->colorspace;
  AVDictionary *options = NULL;
  if (is_h264) {
    set_h264(t, c, &options);
  } else {
    set_h263(t, c);
  }
  int error = avcodec_open2(c, codec, &options);
  av_dict_free(&options);
  if (error < 0) return error == AVERROR(ENOMEM) ? MEDIATOOL_TRANSCODE_NO_MEMORY : MEDIATOOL_TRANSCODE_NO_ENCODER;
  t->video.time_base = c->time_base;
  t->video.parameters = avcodec_parameters_alloc();
  if (!t->video.parameters || avcodec_parameters_from_context(t->video.parameters, c) < 0) return MEDIATOOL_TRANSCODE_NO_MEMORY;
  if (!is_h264) return MEDIATOOL_TRANSCODE_OK;
  // x264 writes its own settings into the video.
  error = av_bsf_list_parse_str("filter_units=remove_types=6", &t->video.filter);
  if (error >= 0) error = avcodec_parameters_copy(t->video.filter->par_in, t->video.parameters);
  if (error >= 0) {
    t->video.filter->time_base_in = c->time_base;
    error = av_bsf_init(t->video.filter);
  }
  return error < 0 ? MEDIATOOL_TRANSCODE_NO_MEMORY : MEDIATOOL_TRANSCODE_OK;
}

mediatool_transcode_status video_start(transcoder *t) {
  bool is_h264 = t->options->video == MEDIATOOL_CODING_H264;
  if (!avcodec_find_encoder_by_name(is_h264 ? "libx264" : "h263")) return MEDIATOOL_TRANSCODE_NO_ENCODER;
  t->last_time = INT64_MIN;
  t->quantizer = t->options->quantizer;
  t->frame_rate = rate_of(t);
  return transcoder_open_decoder(t, &t->video);
}

static int receive(transcoder *t) {
  track *v = &t->video;
  for (;;) {
    int error = avcodec_receive_packet(v->encoder, t->coded);
    if (error == AVERROR(EAGAIN) || error == AVERROR_EOF) return 0;
    if (error < 0) return error;
    if (v->filter) {
      error = av_bsf_send_packet(v->filter, t->coded);
      if (error >= 0) error = av_bsf_receive_packet(v->filter, t->coded);
      // A packet with SEI messages alone is not a frame.
      if (error == AVERROR(EAGAIN)) continue;
    }
    if (error >= 0) error = transcoder_add(t, v, t->coded);
    if (error < 0 || t->is_over_limit) return error;
  }
}

// Sets the timestamp of the frame in the encoder's units; false for excess frames, which are dropped.
static bool set_time(transcoder *t, const AVFrame *frame, int64_t *time) {
  const mediatool_transcode_options *o = t->options;
  bool is_first = t->last_time == INT64_MIN;
  int64_t ticks, interval = (int64_t)(ticks_a_second / o->max_frame_rate);
  bool is_known = transcoder_time(t, frame->best_effort_timestamp, t->video.stream->time_base, &ticks);
  // A frame without a timestamp gets that of the next one due.
  if (!is_known) ticks = is_first ? 0 : t->last_ticks + av_rescale_q(1, av_inv_q(t->frame_rate), TICKS);
  if (ticks < 0) ticks = 0;
  if (ticks >= transcoder_end(t)) {
    t->is_cut = true;
    t->video.is_done = true;
    return false;
  }
  // A tolerance of one millisecond, for containers that count in milliseconds.
  if (ticks + ticks_a_second / 1000 < t->next_time) return false;
  *time = av_rescale_q(ticks, TICKS, video_time_base(t));
  if (!is_first && *time <= t->last_time) return false;
  t->next_time = FFMAX(t->next_time + interval, ticks + interval / 2);
  t->last_ticks = ticks;
  t->last_time = *time;
  return true;
}

// Adjusts the quantiser towards the target size; at half of the video most of the deviation is predictable. In small
// steps and within limits, because jumps in quality are visible.
static void steer(transcoder *t) {
  const mediatool_transcode_options *o = t->options;
  int64_t projected = transcoder_projected(t);
  if (o->aim_bytes <= 0 || projected <= 0) return;
  double step = 6 * log2((double)projected / (double)o->aim_bytes);
  t->quantizer += fmax(-max_step, fmin(max_step, step / frames_to_turn));
  t->quantizer = fmax(o->min_quantizer, fmin(o->max_quantizer, t->quantizer));
  if (o->video == MEDIATOOL_CODING_H264) av_opt_set_double(t->video.encoder->priv_data, "crf", t->quantizer, 0);
}

// H.263 has only integer quantisers; a fraction is the mean of several frames.
static int integer_quantizer(transcoder *t) {
  double wanted = exp2(t->quantizer / 6) + t->quantizer_debt;
  int rounded = (int)fmax(1, fmin(31, floor(wanted + 0.5)));
  t->quantizer_debt = fmax(-1, fmin(1, wanted - rounded));
  return rounded;
}

int video_encode(transcoder *t) {
  const mediatool_transcode_options *o = t->options;
  if (!t->video.encoder) {
    mediatool_transcode_status status = open_encoder(t);
    if (status != MEDIATOOL_TRANSCODE_OK) return status == MEDIATOOL_TRANSCODE_NO_MEMORY ? AVERROR(ENOMEM) : AVERROR_ENCODER_NOT_FOUND;
  }
  steer(t);
  t->image->pict_type = AV_PICTURE_TYPE_NONE;
  if (o->video == MEDIATOOL_CODING_H263) t->image->quality = integer_quantizer(t) * FF_QP2LAMBDA;
  int error = avcodec_send_frame(t->video.encoder, t->image);
  return error < 0 ? error : receive(t);
}

int video_end(transcoder *t) {
  if (!t->video.encoder || t->is_over_limit) return 0;
  int error = avcodec_send_frame(t->video.encoder, NULL);
  return error < 0 ? error : receive(t);
}

static frame_options options_for(const transcoder *t, const AVFrame *frame) {
  const mediatool_transcode_options *o = t->options;
  const AVCodecParameters *p = t->video.stream->codecpar;
  frame_options options = {
    .width = o->width, .height = o->height, .shown_width = o->shown_width, .shown_height = o->shown_height,
    .orientation = o->orientation, .matrix = o->video == MEDIATOOL_CODING_H263 ? SWS_CS_ITU601 : 0,
    .transfer = (int)p->color_trc, .primaries = (int)p->color_primaries, .peak = mediatool_frame_peak(frame, t->video.stream)};
  if (options.transfer == AVCOL_TRC_UNSPECIFIED && o->transfer) options.transfer = o->transfer;
  return options;
}

int video_take(transcoder *t, const AVFrame *frame) {
  int64_t time;
  if (t->video.is_done || !set_time(t, frame, &time)) return 0;
  frame_options options = options_for(t, frame);
  int error = frame_convert(&t->converter, frame, &options, t->image);
  // A frame in an unknown layout is a gap, as in players.
  if (error == AVERROR(ENOSYS)) return 0;
  if (error < 0) return error;
  t->image->pts = time;
  frame_cache_add(t, t->image);
  return t->is_over_limit ? 0 : video_encode(t);
}
