#include "mediatool_avio.h"
#include "video.h"

// How far a demuxer without an index may read during a seek, in seconds of the video and in bytes. The file seems to
// end there, and the demuxer uses the best position that it has seen.
static const double seek_seconds = 3;
enum { least_seek_bytes = 1500000, max_seek_bytes = 12000000 };
// How far to read for a key frame: in seconds, more than the interval of key frames in most videos; in bytes, if the
// duration is unknown or the bit rate is high; and in packets, which may be tiny.
static const double key_seconds = 6;
enum { least_key_bytes = 3000000, max_key_bytes = 24000000, max_key_packets = 20000 };

// The bytes of a number of seconds of the video, within limits.
static int64_t bytes_of(const mediatool_video *video, double seconds, int64_t least, int64_t maximum) {
  double duration = mediatool_video_duration(video);
  double bytes = duration > 0 ? (double)mediatool_input_size(video->input) / duration * seconds : 0;
  return bytes < (double)least ? least : bytes < (double)maximum ? (int64_t)bytes : maximum;
}

bool mediatool_video_seek(mediatool_video *video, int64_t time) {
  if (video->is_cover) return false;
  avcodec_flush_buffers(video->decoder);
  video->is_drained = false;
  video->has_jumped = true;
  mediatool_input_set_end(
    video->input, bytes_of(video, seek_seconds, least_seek_bytes, max_seek_bytes));
  int error = av_seek_frame(video->container, video->stream->index, time, AVSEEK_FLAG_BACKWARD);
  mediatool_input_clear_end(video->input);
  // libav remembers the end of the file, but the file continues beyond this one.
  video->container->pb->eof_reached = 0;
  return error >= 0;
}

int mediatool_video_read(mediatool_video *video, bool key) {
  if (video->is_cover) {
    // Returned once, like a packet of a video.
    if (video->has_jumped) return AVERROR_EOF;
    video->has_jumped = true;
    return av_packet_ref(video->packet, &video->stream->attached_pic);
  }
  uint64_t start = mediatool_input_bytes_read(video->input);
  uint64_t maximum = (uint64_t)bytes_of(video, key_seconds, least_key_bytes, max_key_bytes);
  for (int i = 0; i < max_key_packets; i++) {
    av_packet_unref(video->packet);
    if (mediatool_input_timed_out(video->input)) return AVERROR_EXIT;
    int error = av_read_frame(video->container, video->packet);
    if (error < 0) return error;
    bool is_ours = video->packet->stream_index == video->stream->index && video->packet->size > 0;
    if (is_ours && (!key || video->packet->flags & AV_PKT_FLAG_KEY)) return 0;
    if (key && mediatool_input_bytes_read(video->input) - start > maximum) break;
  }
  av_packet_unref(video->packet);
  return AVERROR_EOF;
}
