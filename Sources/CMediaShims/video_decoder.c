#include <string.h>

#include "video.h"

// Whether a comma-separated list contains the name.
static bool lists(const char *names, const char *name) {
  size_t length = strlen(name);
  for (const char *at = names; (at = strstr(at, name)); at += length)
    if ((at == names || at[-1] == ',') && (at[length] == ',' || at[length] == 0)) return true;
  return false;
}

// The first allowed decoder in the order of libavcodec; for VP8 and VP9 with alpha that of libvpx, because others
// ignore alpha.
static const AVCodec *allowed_decoder(enum AVCodecID id, const mediatool_video_options *options) {
  if (options->alpha) {
    const char *name = id == AV_CODEC_ID_VP9 ? "libvpx-vp9" : id == AV_CODEC_ID_VP8 ? "libvpx" : NULL;
    const AVCodec *codec = name && lists(options->decoders, name) ? avcodec_find_decoder_by_name(name) : NULL;
    if (codec) return codec;
  }
  void *state = NULL;
  const AVCodec *codec;
  while ((codec = av_codec_iterate(&state)))
    if (codec->id == id && av_codec_is_decoder(codec) && lists(options->decoders, codec->name)) return codec;
  return NULL;
}

bool mediatool_video_can_decode(enum AVCodecID id, const char *decoders) {
  mediatool_video_options options = {.decoders = decoders};
  return id != AV_CODEC_ID_NONE && allowed_decoder(id, &options);
}

AVCodecContext *mediatool_video_decoder(
  const AVStream *stream, const mediatool_video_options *options, mediatool_video_status *status) {
  const AVCodec *codec = allowed_decoder(stream->codecpar->codec_id, options);
  *status = MEDIATOOL_VIDEO_UNSUPPORTED;
  if (!codec) return NULL;
  AVCodecContext *decoder = avcodec_alloc_context3(codec);
  *status = MEDIATOOL_VIDEO_NO_MEMORY;
  if (!decoder) return NULL;
  decoder->thread_count = 1;
  // The limit of libavcodec includes its padding. A frame that is too large without padding is refused when it
  // arrives.
  decoder->max_pixels = options->max_pixels + options->max_pixels / 8 + 65536;
  decoder->pkt_timebase = stream->time_base;
  // Part of a frame is better than none; damaged frames are marked and rank below intact ones.
  decoder->flags |= AV_CODEC_FLAG_OUTPUT_CORRUPT;
  AVDictionary *dictionary = NULL;
  av_dict_set(&dictionary, "codec_whitelist", options->decoders, 0);
  int error = avcodec_parameters_to_context(decoder, stream->codecpar);
  if (error >= 0) error = avcodec_open2(decoder, codec, &dictionary);
  av_dict_free(&dictionary);
  if (error < 0) {
    *status = error == AVERROR(ENOMEM) ? MEDIATOOL_VIDEO_NO_MEMORY : MEDIATOOL_VIDEO_UNSUPPORTED;
    avcodec_free_context(&decoder);
  } else {
    *status = MEDIATOOL_VIDEO_OK;
  }
  return decoder;
}
