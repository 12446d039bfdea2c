#include <libavcodec/avcodec.h>
#include <libavutil/avstring.h>

#include "mediatool_avio.h"
#include "mediatool_audio.h"

// Number of samples mixed at a time: they fit into the L1 cache.
enum { stretch = 2048 };

// The same choice as for the facts: the stream marked as default, else the first.
static int chosen_stream(const AVFormatContext *container) {
  int first = -1;
  for (unsigned i = 0; i < container->nb_streams; i++) {
    const AVStream *stream = container->streams[i];
    if (stream->codecpar->codec_type != AVMEDIA_TYPE_AUDIO) continue;
    if (stream->disposition & AV_DISPOSITION_DEFAULT) return (int)i;
    if (first < 0) first = (int)i;
  }
  return first;
}

bool mediatool_audio_exists(const AVFormatContext *container) { return chosen_stream(container) >= 0; }

// The first decoder for the codec that is allowed. libav's own first choice may be one that is not.
static const AVCodec *allowed_decoder(enum AVCodecID id, const char *allowed) {
  void *position = NULL;
  const AVCodec *codec;
  while ((codec = av_codec_iterate(&position)))
    if (codec->id == id && av_codec_is_decoder(codec) && av_match_list(codec->name, allowed, ',')) return codec;
  return NULL;
}

static mediatool_audio_status open_decoder(const AVStream *stream, const char *allowed, AVCodecContext **decoder) {
  const AVCodec *codec = allowed_decoder(stream->codecpar->codec_id, allowed);
  if (!codec) return MEDIATOOL_AUDIO_UNSUPPORTED;
  *decoder = avcodec_alloc_context3(codec);
  if (!*decoder) return MEDIATOOL_AUDIO_NO_MEMORY;
  // The caller runs several files in parallel.
  (*decoder)->thread_count = 1;
  int status = avcodec_parameters_to_context(*decoder, stream->codecpar);
  // Without it libavcodec does not know how much of the last frame is padding.
  (*decoder)->pkt_timebase = stream->time_base;
  if (status >= 0) status = avcodec_open2(*decoder, codec, NULL);
  if (status >= 0) return MEDIATOOL_AUDIO_WHOLE;
  return status == AVERROR(ENOMEM)       ? MEDIATOOL_AUDIO_NO_MEMORY
         : status == AVERROR_PATCHWELCOME ? MEDIATOOL_AUDIO_UNSUPPORTED
                                          : MEDIATOOL_AUDIO_SILENT;
}

static void add(mediatool_envelope *envelope, const AVFrame *frame) {
  float mono[stretch];
  for (int32_t from = 0; from < frame->nb_samples; from += stretch) {
    int32_t count = frame->nb_samples - from < stretch ? frame->nb_samples - from : stretch;
    if (!mediatool_audio_mix(frame, from, count, mono)) return;
    mediatool_envelope_add(envelope, mono, count);
  }
}

static void decode_all(
  AVFormatContext *container, AVCodecContext *decoder, int index, mediatool_envelope *envelope, mediatool_audio_end *end,
  AVPacket *packet, AVFrame *frame) {
  bool draining = false;
  end->has_no_packets = true;
  while (!mediatool_av_input_failed(container)) {
    int status = av_read_frame(container, packet);
    if (status < 0) {
      draining = true;
      // Anything but the end of the file: there may have been packets.
      if (status != AVERROR_EOF) end->has_no_packets = false;
      avcodec_send_packet(decoder, NULL);
    } else {
      // A packet that the decoder rejects is a gap, as in players.
      if (packet->stream_index == index) {
        avcodec_send_packet(decoder, packet);
        end->has_no_packets = false;
      }
      av_packet_unref(packet);
    }
    while (avcodec_receive_frame(decoder, frame) >= 0) {
      add(envelope, frame);
      end->sample_rate = frame->sample_rate;
      av_frame_unref(frame);
      if (mediatool_av_input_failed(container)) return;
    }
    if (draining) return;
  }
}

mediatool_audio_status mediatool_audio_read(
  AVFormatContext *container, const char *decoders, mediatool_envelope *envelope, mediatool_audio_end *end) {
  *end = (mediatool_audio_end){0};
  int index = chosen_stream(container);
  if (index < 0) return MEDIATOOL_AUDIO_UNSUPPORTED;
  for (unsigned i = 0; i < container->nb_streams; i++)
    if ((int)i != index) container->streams[i]->discard = AVDISCARD_ALL;
  AVCodecContext *decoder = NULL;
  mediatool_audio_status status = open_decoder(container->streams[index], decoders, &decoder);
  AVPacket *packet = av_packet_alloc();
  AVFrame *frame = av_frame_alloc();
  if (!packet || !frame) status = MEDIATOOL_AUDIO_NO_MEMORY;
  if (status == MEDIATOOL_AUDIO_WHOLE) {
    decode_all(container, decoder, index, envelope, end, packet, frame);
    end->position = avio_tell(container->pb);
    if (mediatool_av_input_failed(container)) {
      status = MEDIATOOL_AUDIO_PARTLY;
    } else if (envelope->samples == 0) {
      status = MEDIATOOL_AUDIO_SILENT;
    }
  }
  av_frame_free(&frame);
  av_packet_free(&packet);
  avcodec_free_context(&decoder);
  return status;
}
