#include "mediatool_avio.h"
#include "video.h"

// How far a demuxer without an index may read while it looks for a moment. To it the file ends there, and it takes the best
// that it has seen.
enum { most_seek_bytes = 1500000 };
// How far to read for a key frame, which is further than they lie apart in anything that plays; and packets, for they may be tiny.
enum { most_key_bytes = 3000000, most_key_packets = 20000 };

bool mediatool_video_seek(mediatool_video *video, int64_t time) {
  if (video->is_cover) return false;
  avcodec_flush_buffers(video->decoder);
  video->is_drained = false;
  video->has_jumped = true;
  mediatool_input_set_end(video->input, most_seek_bytes);
  int error = av_seek_frame(video->container, video->stream->index, time, AVSEEK_FLAG_BACKWARD);
  mediatool_input_clear_end(video->input);
  // libav remembers an end, and the file goes on behind this one.
  video->container->pb->eof_reached = 0;
  return error >= 0;
}

int mediatool_video_read(mediatool_video *video, bool key) {
  if (video->is_cover) {
    // Handed out once, as a packet of a film is.
    if (video->has_jumped) return AVERROR_EOF;
    video->has_jumped = true;
    return av_packet_ref(video->packet, &video->stream->attached_pic);
  }
  uint64_t start = mediatool_input_bytes_read(video->input);
  for (int i = 0; i < most_key_packets; i++) {
    av_packet_unref(video->packet);
    if (mediatool_input_timed_out(video->input)) return AVERROR_EXIT;
    int error = av_read_frame(video->container, video->packet);
    if (error < 0) return error;
    bool is_ours = video->packet->stream_index == video->stream->index && video->packet->size > 0;
    if (is_ours && (!key || video->packet->flags & AV_PKT_FLAG_KEY)) return 0;
    if (key && mediatool_input_bytes_read(video->input) - start > most_key_bytes) break;
  }
  av_packet_unref(video->packet);
  return AVERROR_EOF;
}
