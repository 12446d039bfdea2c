#include <string.h>

#include "mediatool_avio.h"
#include "video.h"

// What may be read to learn what a header leaves out, as for the facts of a file; and streams in one file.
enum { probe_bytes = 5000000, probe_microseconds = 5000000, most_streams = 256 };

static bool is_cover(const AVStream *stream) {
  return (stream->disposition & (AV_DISPOSITION_ATTACHED_PIC | AV_DISPOSITION_TIMED_THUMBNAILS)) != 0;
}

static bool is_picture(const AVStream *stream) {
  return stream->codecpar->codec_type == AVMEDIA_TYPE_VIDEO && stream->codecpar->codec_id != AV_CODEC_ID_NONE;
}

// A still codec in a stream without a length: a cover that is not marked as one.
static bool looks_like_cover(const AVStream *stream) {
  switch (stream->codecpar->codec_id) {
    case AV_CODEC_ID_PNG:
    case AV_CODEC_ID_MJPEG:
    case AV_CODEC_ID_BMP: return stream->nb_frames == 1 || stream->avg_frame_rate.num == 0;
    default: return false;
  }
}

// The stream that a player shows: what the file calls its default, else the first; of several, one that can be decoded, and a
// film before what is most likely a cover. The marked cover only when there is nothing else.
static AVStream *best_stream(AVFormatContext *container, const mediatool_video_options *options) {
  AVStream *best = NULL;
  int most = 0;
  for (unsigned i = 0; i < container->nb_streams; i++) {
    AVStream *stream = container->streams[i];
    if (!is_picture(stream)) continue;
    int rank = is_cover(stream) ? 1 : 16;
    mediatool_video_status status;
    AVCodecContext *decoder = rank > 1 ? mediatool_video_decoder(stream, options, &status) : NULL;
    if (decoder) rank += 8;
    avcodec_free_context(&decoder);
    if (rank > 1 && !looks_like_cover(stream)) rank += 4;
    if (stream->disposition & AV_DISPOSITION_DEFAULT) rank += 2;
    if (rank > most) {
      most = rank;
      best = stream;
    }
  }
  return best;
}

// Whether the header says enough to open a decoder. Transport and program streams and FLV have no header that lists streams.
static bool is_complete(const AVFormatContext *container) {
  if (container->ctx_flags & AVFMTCTX_NOHEADER) return false;
  for (unsigned i = 0; i < container->nb_streams; i++) {
    const AVCodecParameters *p = container->streams[i]->codecpar;
    if (is_picture(container->streams[i]) && !is_cover(container->streams[i]) && (p->width <= 0 || p->height <= 0))
      return false;
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

static mediatool_video_status open_container(mediatool_video *video) {
  mediatool_av_options opening = {
    .demuxer = video->options.demuxer, .decoders = video->options.decoders, .probe_bytes = probe_bytes,
    .probe_microseconds = probe_microseconds, .max_streams = most_streams};
  mediatool_av_status status = mediatool_av_open(video->input, &opening, &video->container);
  if (status != MEDIATOOL_AV_OK) return converted(status);
  if (!is_complete(video->container)) {
    status = mediatool_av_read_stream_info(video->container);
    // What was found so far may do.
    if (status == MEDIATOOL_AV_INPUT || status == MEDIATOOL_AV_NO_MEMORY) return converted(status);
  }
  video->stream = best_stream(video->container, &video->options);
  if (!video->stream) return MEDIATOOL_VIDEO_NONE;
  video->is_cover = is_cover(video->stream);
  video->start = video->stream->start_time == AV_NOPTS_VALUE ? 0 : video->stream->start_time;
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
  close_container(video);
  video->has_jumped = video->is_drained = false;
  return open_container(video);
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
