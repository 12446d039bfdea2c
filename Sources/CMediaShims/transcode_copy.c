#include "transcode_copy.h"

#include <libavutil/intreadwrite.h>

#include "mediatool_avio.h"
#include "transcode_output.h"
#include "transcode_strip.h"
#include "video.h"

// H.264 in MP4 and Matroska: the first bytes are profile, compatible profiles and level (ISO/IEC 14496-15, 5.3.3.1).
static bool is_baseline(const AVCodecParameters *p, int highest) {
  if (p->extradata_size < 7 || p->extradata[0] != 1) return false;
  int profile = p->extradata[1], level = p->extradata[3];
  // Constraint 1 excludes the parts of Baseline that no receiver decodes; constraint 3 at level 11 means level 1b.
  bool is_constrained = (p->extradata[2] & 0x40) != 0;
  if (level == 11 && (p->extradata[2] & 0x10)) level = 9;
  return profile == 66 && is_constrained && level <= highest;
}

// The container overrides the stream, as in players: H.263 itself cannot state square pixels.
static bool is_square(const AVCodecParameters *p, const AVStream *stream) {
  AVRational ratio = stream->sample_aspect_ratio.num ? stream->sample_aspect_ratio : p->sample_aspect_ratio;
  return ratio.num == 0 || ratio.num == ratio.den;
}

static bool is_turned(const AVStream *stream) {
  size_t size = 0;
  return mediatool_av_side_data(stream, AV_PKT_DATA_DISPLAYMATRIX, &size) != NULL;
}

static bool video_fits(const transcoder *t) {
  const mediatool_transcode_options *o = t->options;
  const AVStream *stream = t->video.stream;
  const AVCodecParameters *p = stream->codecpar;
  bool is_3gp = o->container == MEDIATOOL_CONTAINER_3GP;
  if (p->codec_id != (is_3gp ? AV_CODEC_ID_H263 : AV_CODEC_ID_H264)) return false;
  if (!is_3gp && !is_baseline(p, o->level)) return false;
  if (p->width < 2 || p->height < 2 || p->width > o->width || p->height > o->height) return false;
  if (!is_square(p, stream) || is_turned(stream) || o->orientation != 1) return false;
  double rate = stream->avg_frame_rate.den > 0 ? av_q2d(stream->avg_frame_rate) : 0;
  return rate > 0 && rate <= o->max_frame_rate * 1.02;
}

static bool audio_fits(const transcoder *t) {
  const AVCodecParameters *p = t->audio.stream->codecpar;
  if (t->options->container != MEDIATOOL_CONTAINER_MP4) return p->codec_id == AV_CODEC_ID_AMR_NB && p->ch_layout.nb_channels == 1;
  // AAC in MP4: the first five bits are the object type, 2 for low complexity.
  if (p->codec_id != AV_CODEC_ID_AAC || p->extradata_size < 2 || p->extradata[0] >> 3 != 2) return false;
  return p->ch_layout.nb_channels >= 1 && p->ch_layout.nb_channels <= 2 && p->sample_rate >= 8000 && p->sample_rate <= 48000;
}

mediatool_transcode_status copy_start(transcoder *t, track *track) {
  bool is_video = track == &t->video;
  if (is_video ? !video_fits(t) : !audio_fits(t)) return MEDIATOOL_TRANSCODE_NOT_IN_CLASS;
  track->time_base = track->stream->time_base;
  if (is_video && track->stream->codecpar->codec_id == AV_CODEC_ID_H264) {
    // SEI messages of an encoder or a camera may contain its name and location.
    if (av_bsf_list_parse_str("filter_units=remove_types=6", &track->filter) < 0) return MEDIATOOL_TRANSCODE_NO_MEMORY;
    track->filter->time_base_in = track->time_base;
    int error = avcodec_parameters_copy(track->filter->par_in, track->stream->codecpar);
    if (error >= 0) error = av_bsf_init(track->filter);
    if (error < 0) return MEDIATOOL_TRANSCODE_NOT_IN_CLASS;
  }
  track->parameters = avcodec_parameters_alloc();
  // The filter's parameters match the packets that it writes, and contain no SEI messages either.
  const AVCodecParameters *parameters = track->filter ? track->filter->par_out : track->stream->codecpar;
  if (!track->parameters || avcodec_parameters_copy(track->parameters, parameters) < 0) return MEDIATOOL_TRANSCODE_NO_MEMORY;
  track->parameters->codec_tag = 0;
  return MEDIATOOL_TRANSCODE_OK;
}

// Makes timestamps relative to the beginning of the video, in units of its stream.
static bool move_to_start(const transcoder *t, const track *track, AVPacket *packet) {
  int64_t start = av_rescale_q(t->start, AV_TIME_BASE_Q, track->time_base);
  if (packet->pts == AV_NOPTS_VALUE || packet->dts == AV_NOPTS_VALUE || packet->size < 1) return false;
  if (__builtin_sub_overflow(packet->pts, start, &packet->pts)) return false;
  return !__builtin_sub_overflow(packet->dts, start, &packet->dts);
}

int copy_take(transcoder *t, track *track, AVPacket *packet) {
  bool is_video = track == &t->video;
  if (packet->flags & AV_PKT_FLAG_CORRUPT || !move_to_start(t, track, packet)) return AVERROR(ENOSYS);
  int64_t end;
  if (__builtin_add_overflow(packet->pts, FFMAX(0, packet->duration), &end)) return AVERROR(ENOSYS);
  // A copy cannot drop what an edit list drops, except the priming samples of audio, which precede the beginning.
  if (packet->flags & AV_PKT_FLAG_DISCARD && (is_video || end > 0)) return AVERROR(ENOSYS);
  if (av_compare_ts(end, track->time_base, transcoder_end(t), TICKS) > 0) {
    t->is_cut = true;
    return AVERROR(ENOSYS);
  }
  if (is_video && packet->pts < 0) return AVERROR(ENOSYS);
  av_packet_free_side_data(packet);
  if (track->parameters->codec_id == AV_CODEC_ID_AAC) {
    int error = strip_aac(packet);
    if (error < 0) return error;
  }
  if (!track->filter) return transcoder_add(t, track, packet);
  int error = av_bsf_send_packet(track->filter, packet);
  while (error >= 0) {
    error = av_bsf_receive_packet(track->filter, packet);
    if (error >= 0) error = transcoder_add(t, track, packet);
  }
  return error == AVERROR(EAGAIN) || error == AVERROR_EOF ? 0 : error;
}
