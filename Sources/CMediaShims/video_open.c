#include <string.h>

#include "mediatool_avio.h"
#include "video.h"

// Limits on reading to complete the header, and on the streams of a file; the same as for the facts.
enum { probe_bytes = 5000000, probe_microseconds = 5000000, max_streams = 256 };

// Whether the header says enough to open a decoder. Transport and program streams and FLV have no header that lists streams.
static bool is_complete(const AVFormatContext *container) {
  if (container->ctx_flags & AVFMTCTX_NOHEADER) return false;
  for (unsigned i = 0; i < container->nb_streams; i++) {
    const AVCodecParameters *p = container->streams[i]->codecpar;
    bool is_cover = mediatool_video_is_cover(container->streams[i]);
    bool is_image = p->codec_type == AVMEDIA_TYPE_VIDEO && p->codec_id != AV_CODEC_ID_NONE;
    if (is_image && !is_cover && (p->width <= 0 || p->height <= 0)) return false;
  }
  return true;
}

static mediatool_video_status converted(mediatool_av_status status) {
  switch (status) {
    case MEDIATOOL_AV_OK: return MEDIATOOL_VIDEO_OK;
    case MEDIATOOL_AV_UNSUPPORTED: return MEDIATOOL_VIDEO_UNSUPPORTED;
    case MEDIATOOL_AV_NO_MEMORY: return MEDIATOOL_VIDEO_NO_MEMORY;
    case MEDIATOOL_AV_INPUT: return MEDIATOOL_VIDEO_INPUT;
    default: return MEDIATOOL_VIDEO_CORRUPT;
  }
}

// The start of the earlier of video and audio according to the header, in units of the stream: the zero point of
// players.
static int64_t start_of(const AVFormatContext *container, const AVStream *stream) {
  int64_t start = stream->start_time;
  for (unsigned i = 0; i < container->nb_streams; i++) {
    const AVStream *other = container->streams[i];
    if (other->codecpar->codec_type != AVMEDIA_TYPE_AUDIO || other->start_time == AV_NOPTS_VALUE) continue;
    int64_t begins = av_rescale_q(other->start_time, other->time_base, stream->time_base);
    if (start != AV_NOPTS_VALUE && begins < start) start = begins;
  }
  return start == AV_NOPTS_VALUE ? 0 : start;
}

static mediatool_video_status open_container(mediatool_video *video) {
  mediatool_av_options opening = {
    .demuxer = video->options.demuxer, .decoders = video->options.decoders, .probe_bytes = probe_bytes,
    .probe_microseconds = probe_microseconds, .max_streams = max_streams};
  mediatool_av_status status = mediatool_av_open(video->input, &opening, &video->container);
  if (status != MEDIATOOL_AV_OK) return converted(status);
  if (!is_complete(video->container)) {
    status = mediatool_av_read_stream_info(video->container);
    // What was found so far may be enough.
    if (status == MEDIATOOL_AV_INPUT || status == MEDIATOOL_AV_NO_MEMORY) return converted(status);
  }
  video->stream = mediatool_video_shown_stream(video->container, video->options.decoders, &video->is_cover);
  if (!video->stream) return MEDIATOOL_VIDEO_NONE;
  video->start = start_of(video->container, video->stream);
  for (unsigned i = 0; i < video->container->nb_streams; i++)
    video->container->streams[i]->discard =
      video->container->streams[i] == video->stream ? AVDISCARD_DEFAULT : AVDISCARD_ALL;
  const AVCodecParameters *p = video->stream->codecpar;
  if (p->width > 0 && p->height > 0 && (int64_t)p->width * p->height > video->options.max_pixels)
    return MEDIATOOL_VIDEO_TOO_LARGE;
  mediatool_video_status opened;
  video->decoder = mediatool_video_decoder(video->stream, &video->options, &opened);
  return opened;
}

static void close_container(mediatool_video *video) {
  avcodec_free_context(&video->decoder);
  if (video->container) mediatool_av_close(video->container);
  video->container = NULL;
  video->stream = NULL;
}

mediatool_video_status mediatool_video_rewind(mediatool_video *video) {
  mediatool_video old = *video;
  video->container = NULL;
  video->decoder = NULL;
  video->stream = NULL;
  mediatool_video_status status = open_container(video);
  if (status == MEDIATOOL_VIDEO_OK) {
    video->has_jumped = video->is_drained = false;
    close_container(&old);
  } else {
    // The file has changed meanwhile: what is known so far is still used.
    close_container(video);
    video->container = old.container;
    video->decoder = old.decoder;
    video->stream = old.stream;
    video->is_cover = old.is_cover;
    video->start = old.start;
  }
  return status;
}

mediatool_video_status mediatool_video_open(
  mediatool_input *input, const mediatool_video_options *options, mediatool_video **out) {
  *out = NULL;
  mediatool_video *video = av_mallocz(sizeof *video);
  if (!video) return MEDIATOOL_VIDEO_NO_MEMORY;
  video->input = input;
  video->options = *options;
  video->options.demuxer = av_strdup(options->demuxer);
  video->options.decoders = av_strdup(options->decoders);
  video->packet = av_packet_alloc();
  video->frame = av_frame_alloc();
  video->best = av_frame_alloc();
  bool has_memory =
    video->options.demuxer && video->options.decoders && video->packet && video->frame && video->best;
  mediatool_video_status status = has_memory ? open_container(video) : MEDIATOOL_VIDEO_NO_MEMORY;
  if (status == MEDIATOOL_VIDEO_OK) {
    *out = video;
  } else {
    mediatool_video_close(video);
  }
  return status;
}

void mediatool_video_close(mediatool_video *video) {
  close_container(video);
  av_packet_free(&video->packet);
  av_frame_free(&video->frame);
  av_frame_free(&video->best);
  av_free((void *)video->options.demuxer);
  av_free((void *)video->options.decoders);
  av_free(video);
}

mediatool_video_status mediatool_video_failure(const mediatool_video *video) {
  if (video->is_too_large) return MEDIATOOL_VIDEO_TOO_LARGE;
  return mediatool_av_input_failed(video->container) ? MEDIATOOL_VIDEO_INPUT : MEDIATOOL_VIDEO_CORRUPT;
}
