#include "mediatool_avio.h"
#include "video.h"

bool mediatool_video_is_cover(const AVStream *stream) {
  return (stream->disposition & (AV_DISPOSITION_ATTACHED_PIC | AV_DISPOSITION_TIMED_THUMBNAILS)) != 0;
}

static bool is_image(const AVStream *stream) { return stream->codecpar->codec_type == AVMEDIA_TYPE_VIDEO; }

// A still image codec in a stream without a duration: a cover that is not marked as one.
static bool looks_like_cover(const AVStream *stream) {
  switch (stream->codecpar->codec_id) {
    case AV_CODEC_ID_PNG:
    case AV_CODEC_ID_MJPEG:
    case AV_CODEC_ID_BMP: return stream->nb_frames == 1 || stream->avg_frame_rate.num == 0;
    default: return false;
  }
}

AVStream *mediatool_av_video(AVFormatContext *container, const char *decoders) {
  AVStream *best = NULL;
  int maximum = 0;
  for (unsigned i = 0; i < container->nb_streams; i++) {
    AVStream *stream = container->streams[i];
    if (!is_image(stream) || mediatool_video_is_cover(stream)) continue;
    int rank = 1;
    if (mediatool_video_can_decode(stream->codecpar->codec_id, decoders)) rank += 8;
    if (!looks_like_cover(stream)) rank += 4;
    if (stream->disposition & AV_DISPOSITION_DEFAULT) rank += 2;
    if (rank > maximum) {
      maximum = rank;
      best = stream;
    }
  }
  return best;
}

AVStream *mediatool_video_shown_stream(AVFormatContext *container, const char *decoders, bool *is_of_cover) {
  AVStream *video = mediatool_av_video(container, decoders);
  *is_of_cover = false;
  if (video && mediatool_video_can_decode(video->codecpar->codec_id, decoders)) return video;
  for (unsigned i = 0; i < container->nb_streams; i++) {
    AVStream *stream = container->streams[i];
    if (!is_image(stream) || !mediatool_video_is_cover(stream) || stream->attached_pic.size < 1) continue;
    if (!mediatool_video_can_decode(stream->codecpar->codec_id, decoders)) continue;
    *is_of_cover = true;
    return stream;
  }
  return video;
}
