#include "mediatool_frames.h"

#include <libavcodec/avcodec.h>
#include <string.h>

#include "mediatool_avio.h"
#include "mediatool_pixels.h"

// A delay that the file leaves out, in milliseconds: what browsers take for it.
enum { default_delay = 100 };

typedef struct {
  const mediatool_frames_options *options;
  int width, height, count;
  uint8_t *pixels;
  int *delays;
  int64_t *times;  // of each frame, in milliseconds
} strip;

static int fail(mediatool_vips_error *error, const char *text) {
  g_strlcpy(error->text, text, sizeof error->text);
  return -1;
}

// Room for as many frames as both limits allow, made when the first one shows its size.
static bool prepare(strip *s, const AVFrame *frame) {
  int64_t area = (int64_t)frame->width * frame->height;
  if (area <= 0 || area > s->options->max_pixels) return false;
  int64_t frames = MIN(s->options->max_frames, s->options->max_pixels / area);
  s->width = frame->width;
  s->height = frame->height;
  s->pixels = g_try_malloc((gsize)(area * frames * 4));
  s->delays = g_try_new0(int, frames);
  s->times = g_try_new0(int64_t, frames);
  return s->pixels && s->delays && s->times;
}

static bool append(strip *s, const AVFrame *frame, AVRational time_base) {
  if (!s->pixels && !prepare(s, frame)) return false;
  int64_t area = (int64_t)s->width * s->height;
  if (frame->width != s->width || frame->height != s->height) return false;
  if (s->count >= s->options->max_frames || (s->count + 1) * area > s->options->max_pixels) return false;
  if (!mediatool_frame_to_rgba(frame, s->pixels + (size_t)(s->count * area * 4))) return false;
  int64_t time = frame->best_effort_timestamp;
  s->times[s->count] = time == AV_NOPTS_VALUE ? -1 : av_rescale_q(time, time_base, (AVRational){1, 1000});
  int64_t length = av_rescale_q(frame->pkt_duration, time_base, (AVRational){1, 1000});
  s->delays[s->count] = length > 0 && length < 3600000 ? (int)length : default_delay;
  s->count++;
  return true;
}

// The time between two frames, where both state one, is truer than the length of a packet.
static void set_delays(strip *s) {
  for (int i = 0; i + 1 < s->count; i++) {
    // Compared first: the difference of two numbers out of a file may overflow.
    if (s->times[i] < 0 || s->times[i + 1] <= s->times[i]) continue;
    int64_t delay = s->times[i + 1] - s->times[i];
    if (delay < 3600000) s->delays[i] = (int)delay;
  }
}

// The stream with the most images: an AVIF sequence also holds its cover as a track of one image.
static int best_stream(const AVFormatContext *container) {
  int best = -1;
  for (unsigned i = 0; i < container->nb_streams; i++) {
    const AVStream *stream = container->streams[i];
    if (stream->codecpar->codec_type != AVMEDIA_TYPE_VIDEO) continue;
    if (best < 0 || stream->nb_frames > container->streams[best]->nb_frames) best = (int)i;
  }
  return best;
}

static void decode_all(
  AVFormatContext *container, AVCodecContext *decoder, int index, strip *s, mediatool_input *input, AVPacket *packet,
  AVFrame *frame) {
  AVRational time_base = container->streams[index]->time_base;
  bool draining = false, full = false;
  while (!full && !mediatool_input_timed_out(input)) {
    if (!draining && av_read_frame(container, packet) < 0) {
      draining = true;
      avcodec_send_packet(decoder, NULL);
    } else if (!draining) {
      if (packet->stream_index == index) avcodec_send_packet(decoder, packet);
      av_packet_unref(packet);
    }
    int status;
    while (!full && (status = avcodec_receive_frame(decoder, frame)) >= 0) {
      full = !append(s, frame, time_base);
      av_frame_unref(frame);
    }
    if (draining) break;
  }
}

static AVCodecContext *open_decoder(const AVStream *stream, const char *allowed, int64_t max_pixels) {
  const AVCodec *codec = avcodec_find_decoder(stream->codecpar->codec_id);
  AVCodecContext *decoder = codec ? avcodec_alloc_context3(codec) : NULL;
  if (!decoder) return NULL;
  AVDictionary *options = NULL;
  av_dict_set(&options, "codec_whitelist", allowed, 0);
  decoder->thread_count = 1;
  decoder->max_pixels = max_pixels;
  bool open = avcodec_parameters_to_context(decoder, stream->codecpar) >= 0 && avcodec_open2(decoder, codec, &options) >= 0;
  av_dict_free(&options);
  if (!open) avcodec_free_context(&decoder);
  return decoder;
}

int mediatool_frames_decode(
  mediatool_input *input, const mediatool_frames_options *options, VipsImage **out, mediatool_vips_error *error) {
  *out = NULL;
  mediatool_av_options opening = {
    .demuxer = options->demuxer, .decoders = options->decoders, .probe_bytes = 1048576,
    .probe_microseconds = 1000000, .max_streams = 16};
  AVFormatContext *container = NULL;
  if (mediatool_av_open(input, &opening, &container) != MEDIATOOL_AV_OK) return fail(error, "FFmpeg cannot open the container");
  int index = best_stream(container);
  AVCodecContext *decoder =
    index < 0 ? NULL : open_decoder(container->streams[index], options->decoders, options->max_pixels);
  AVPacket *packet = av_packet_alloc();
  AVFrame *frame = av_frame_alloc();
  strip s = {.options = options};
  if (decoder && packet && frame) decode_all(container, decoder, index, &s, input, packet, frame);
  set_delays(&s);
  int result;
  if (s.count > 0) {
    result = mediatool_vips_from_rgba(s.pixels, s.width, s.height * s.count, s.height, s.delays, out, error);
  } else {
    g_free(s.pixels);
    result = fail(error, "no frame could be decoded");
  }
  g_free(s.delays);
  g_free(s.times);
  av_frame_free(&frame);
  av_packet_free(&packet);
  avcodec_free_context(&decoder);
  mediatool_av_close(container);
  return result;
}
