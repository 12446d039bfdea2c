#include <math.h>

#include "video.h"

// Maximum number of packets for a decoder that returns nothing for a key frame alone.
enum { max_fed_packets = 64 };
// Maximum seconds between key frames in seekable videos.
static const double farthest_back = 32;
// Number of frames decoded after a damaged key frame: enough for a full cycle of intra refresh.
enum { max_recovery_frames = 300 };
// Maximum number of packets decoded to reach a position; a second limit beside the deadline.
enum { max_walked_packets = 1000000 };

// Saturating: a header can state any start.
static int64_t time_of(const mediatool_video *video, double second) {
  double ticks = second / av_q2d(video->stream->time_base);
  if (!(fabs(ticks) < 4e18)) return 0;
  int64_t time;
  // The nearest tick: 1.4 s is slightly less than its tick.
  return __builtin_add_overflow(video->start, llround(ticks), &time) ? video->start : time;
}

// Whether the key frame has been decoded before; remembers it.
static bool is_known(mediatool_video *video, int64_t time) {
  for (int i = 0; i < video->seen_count; i++)
    if (video->seen[i] == time) return true;
  if (video->seen_count < max_key_frames) video->seen[video->seen_count++] = time;
  return false;
}

bool mediatool_video_is_damaged(const AVFrame *frame) {
  return (frame->flags & AV_FRAME_FLAG_CORRUPT) != 0 || frame->decode_error_flags != 0;
}

// Loop filters can be skipped for a frame to which no other refers. In others each error would accumulate.
static void leave_out_filters(mediatool_video *video, bool is_alone) {
  video->decoder->skip_loop_filter = is_alone && video->options.fast ? AVDISCARD_ALL : AVDISCARD_DEFAULT;
}

static bool receive(mediatool_video *video) {
  av_frame_unref(video->frame);
  if (avcodec_receive_frame(video->decoder, video->frame) < 0) return false;
  video->decoded++;
  const AVFrame *frame = video->frame;
  if (frame->width < 1 || frame->height < 1) return false;
  if ((int64_t)frame->width * frame->height <= video->options.max_pixels) return true;
  video->is_too_large = true;
  av_frame_unref(video->frame);
  return false;
}

// At the end of the stream the decoder returns its remaining frames.
static void drain(mediatool_video *video) {
  if (!video->is_drained) avcodec_send_packet(video->decoder, NULL);
  video->is_drained = true;
}

// Decodes the next frame in presentation order.
static bool next_frame(mediatool_video *video, int max_packets) {
  leave_out_filters(video, false);
  for (int i = 0; i < max_packets; i++) {
    if (receive(video)) return true;
    if (video->is_drained) return false;
    if (mediatool_video_read(video, false) < 0) {
      drain(video);
    } else {
      avcodec_send_packet(video->decoder, video->packet);
      av_packet_unref(video->packet);
    }
  }
  return false;
}

// Decodes the key frame in the current packet, and nothing after it.
static bool decode_alone(mediatool_video *video) {
  leave_out_filters(video, true);
  int error = avcodec_send_packet(video->decoder, video->packet);
  av_packet_unref(video->packet);
  if (error == AVERROR(ENOMEM)) return false;
  drain(video);
  bool decoded = receive(video);
  // In a video with gradual intra refresh, the start of each round is marked as a key frame although it is not complete.
  const AVFrame *frame = video->frame;
  bool is_stripe = !frame->key_frame && frame->pict_type != AV_PICTURE_TYPE_I && frame->pict_type != AV_PICTURE_TYPE_NONE;
  if (decoded && is_stripe) video->frame->flags |= AV_FRAME_FLAG_CORRUPT;
  avcodec_flush_buffers(video->decoder);
  video->is_drained = false;
  return decoded;
}

static int64_t stamp_of(const AVPacket *packet) { return packet->pts != AV_NOPTS_VALUE ? packet->pts : packet->dts; }

// Reads on to the last key frame before the time if the container led to one that is more than `farthest` seconds
// earlier.
static void read_on(mediatool_video *video, int64_t time, double farthest) {
  double ticks = farthest / av_q2d(video->stream->time_base);
  AVPacket *held = av_packet_alloc();
  while (held && stamp_of(video->packet) != AV_NOPTS_VALUE && (double)time - (double)stamp_of(video->packet) > ticks) {
    av_packet_unref(held);
    av_packet_move_ref(held, video->packet);
    bool is_later = mediatool_video_read(video, true) < 0 || stamp_of(video->packet) > time;
    if (!is_later) continue;
    av_packet_unref(video->packet);
    av_packet_move_ref(video->packet, held);
    break;
  }
  av_packet_free(&held);
}

// Reads the key frame at or before the time. A seek in transport and program streams leads to any frame, and the next
// key frame may be too late; then the seek is repeated further and further back.
static bool read_key_before(mediatool_video *video, double second) {
  int64_t time = time_of(video, second);
  for (double back = 0; back <= farthest_back; back = back > 0 ? back * 2 : 1) {
    if (!mediatool_video_seek(video, time_of(video, second - back))) return false;
    if (mediatool_video_read(video, true) >= 0) {
      int64_t stamp = stamp_of(video->packet);
      if (stamp == AV_NOPTS_VALUE || stamp <= time) return true;
    }
    if (back > second) return false;
  }
  return false;
}

mediatool_video_status mediatool_video_key_frame(
  mediatool_video *video, double second, double farthest, bool *is_new) {
  *is_new = false;
  int64_t time = time_of(video, second);
  if (!mediatool_video_seek(video, time) && !video->is_cover) return mediatool_video_failure(video);
  // There is no key frame after the last one.
  if (mediatool_video_read(video, true) < 0 && (video->is_cover || !read_key_before(video, second)))
    return mediatool_video_failure(video);
  if (!video->is_cover) read_on(video, time, farthest);
  int64_t stamp = stamp_of(video->packet);
  if (stamp == AV_NOPTS_VALUE) stamp = video->packet->pos;
  if (is_known(video, stamp)) {
    av_packet_unref(video->packet);
    return MEDIATOOL_VIDEO_OK;
  }
  *is_new = true;
  if (decode_alone(video)) return MEDIATOOL_VIDEO_OK;
  // Two fields in two packets, or a decoder with a delay of some frames.
  if (mediatool_video_seek(video, time) && mediatool_video_read(video, true) >= 0) {
    if (!video->is_cover) read_on(video, time, farthest);
    avcodec_send_packet(video->decoder, video->packet);
    av_packet_unref(video->packet);
    if (next_frame(video, max_fed_packets)) return MEDIATOOL_VIDEO_OK;
  }
  return mediatool_video_failure(video);
}

mediatool_video_status mediatool_video_undamaged_frame(mediatool_video *video, double second) {
  if (!mediatool_video_seek(video, time_of(video, second)) || mediatool_video_read(video, true) < 0)
    return mediatool_video_failure(video);
  avcodec_send_packet(video->decoder, video->packet);
  av_packet_unref(video->packet);
  for (int i = 0; i < max_recovery_frames && next_frame(video, max_fed_packets); i++)
    if (!mediatool_video_is_damaged(video->frame)) return MEDIATOOL_VIDEO_OK;
  return mediatool_video_failure(video);
}

mediatool_video_status mediatool_video_first_frame(mediatool_video *video) {
  mediatool_video_status status = mediatool_video_rewind(video);
  if (status != MEDIATOOL_VIDEO_OK) return status;
  return next_frame(video, max_walked_packets) ? MEDIATOOL_VIDEO_OK : mediatool_video_failure(video);
}

mediatool_video_status mediatool_video_skip(mediatool_video *video, int frames) {
  for (int i = 0; i < frames; i++)
    if (!next_frame(video, max_fed_packets)) return mediatool_video_failure(video);
  return MEDIATOOL_VIDEO_OK;
}

static int64_t shown_at(const AVFrame *frame) { return frame->best_effort_timestamp; }

// Whether the duration of the frame extends beyond the time.
static bool lasts_beyond(const AVFrame *frame, int64_t time) {
  int64_t end;
  return shown_at(frame) != AV_NOPTS_VALUE && frame->pkt_duration > 0 && shown_at(frame) <= time &&
         !__builtin_add_overflow(shown_at(frame), frame->pkt_duration, &end) && end > time;
}

mediatool_video_status mediatool_video_frame_at(mediatool_video *video, double second) {
  int64_t time = time_of(video, second);
  if (read_key_before(video, second)) {
    avcodec_send_packet(video->decoder, video->packet);
    av_packet_unref(video->packet);
  } else if (second <= farthest_back || !mediatool_video_seek(video, time)) {
    mediatool_video_status status = mediatool_video_rewind(video);
    if (status != MEDIATOOL_VIDEO_OK) return status;
  }
  // This is the last frame that is due; only the next one shows that.
  AVFrame *last = av_frame_alloc();
  if (!last) return MEDIATOOL_VIDEO_NO_MEMORY;
  while (next_frame(video, max_walked_packets)) {
    bool is_later = shown_at(video->frame) != AV_NOPTS_VALUE && shown_at(video->frame) > time;
    if (is_later && last->data[0]) break;
    av_frame_unref(last);
    av_frame_move_ref(last, video->frame);
    if (is_later || lasts_beyond(last, time)) break;
  }
  av_frame_unref(video->frame);
  av_frame_move_ref(video->frame, last);
  av_frame_free(&last);
  return video->frame->data[0] ? MEDIATOOL_VIDEO_OK : mediatool_video_failure(video);
}

void mediatool_video_keep(mediatool_video *video) {
  av_frame_unref(video->best);
  av_frame_move_ref(video->best, video->frame);
}

double mediatool_video_time(const mediatool_video *video) {
  int64_t time = video->best->best_effort_timestamp, since;
  if (time == AV_NOPTS_VALUE || __builtin_sub_overflow(time, video->start, &since)) return -1;
  return (double)since * av_q2d(video->stream->time_base);
}

int mediatool_video_frames_decoded(const mediatool_video *video) { return video->decoded; }
