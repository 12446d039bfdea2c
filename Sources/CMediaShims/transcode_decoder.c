#include "transcode_decoder.h"

#include <libavutil/avstring.h>

#include "video.h"

mediatool_transcode_status transcoder_open_decoder(const transcoder *t, track *track) {
  if (track == &t->video) {
    mediatool_video_options options = {.decoders = t->options->decoders, .max_pixels = t->options->max_pixels};
    mediatool_video_status status;
    track->decoder = mediatool_video_decoder(track->stream, &options, &status);
    if (track->decoder) return MEDIATOOL_TRANSCODE_OK;
    return status == MEDIATOOL_VIDEO_NO_MEMORY ? MEDIATOOL_TRANSCODE_NO_MEMORY : MEDIATOOL_TRANSCODE_UNSUPPORTED;
  }
  void *position = NULL;
  const AVCodec *codec, *found = NULL;
  while (!found && (codec = av_codec_iterate(&position)))
    if (codec->id == track->stream->codecpar->codec_id && av_codec_is_decoder(codec) && av_match_list(codec->name, t->options->decoders, ','))
      found = codec;
  if (!found) return MEDIATOOL_TRANSCODE_UNSUPPORTED;
  track->decoder = avcodec_alloc_context3(found);
  if (!track->decoder) return MEDIATOOL_TRANSCODE_NO_MEMORY;
  track->decoder->thread_count = 1;
  track->decoder->pkt_timebase = track->stream->time_base;
  int error = avcodec_parameters_to_context(track->decoder, track->stream->codecpar);
  if (error >= 0) error = avcodec_open2(track->decoder, found, NULL);
  if (error >= 0) return MEDIATOOL_TRANSCODE_OK;
  return error == AVERROR(ENOMEM) ? MEDIATOOL_TRANSCODE_NO_MEMORY : MEDIATOOL_TRANSCODE_UNSUPPORTED;
}
