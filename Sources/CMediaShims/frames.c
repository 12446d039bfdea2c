#include "mediatool_frames.h"

#include <libavcodec/avcodec.h>
#include <string.h>

#include "mediatool_avio.h"
#include "mediatool_pixels.h"
#include "vips_error.h"

// The delay that browsers use if the file states none, in milliseconds.
enum { default_delay = 100 };

typedef struct {
  const mediatool_frames_options *options;
  int width, height, room, count;
  uint8_t *pixels;
  uint8_t *alpha;  // for the same number of frames; NULL without an alpha stream
  bool is_seen_through;  // whether any frame has its own alpha
  int *delays;
  int64_t *times;  // of each frame, in milliseconds
} strip;

// A stream that is being decoded.
typedef struct {
  AVCodecContext *decoder;
  int index;
  int seen;  // frames so far
  bool is_done;
} track;

static int fail(mediatool_vips_error *error, const char *text) {
  g_strlcpy(error->text, text, sizeof error->text);
  return -1;
}

// Allocates as many frames as both limits allow, once the size of the first one is known.
static bool prepare(strip *s, const AVFrame *frame) {
  int64_t area = (int64_t)frame->width * frame->height;
  if (area <= 0 || area > s->options->max_pixels) return false;
  int64_t frames = MIN(s->options->max_frames, s->options->max_pixels / area);
  s->width = frame->width;
  s->height = frame->height;
  s->room = (int)frames;
  s->pixels = g_try_malloc((gsize)(area * frames * 4));
  s->delays = g_try_new0(int, frames);
  s->times = g_try_new0(int64_t, frames);
  return s->pixels && s->delays && s->times;
}

static bool fits(strip *s, const AVFrame *frame) {
  if (!s->pixels && !prepare(s, frame)) return false;
  return frame->width == s->width && frame->height == s->height;
}

static bool append(strip *s, const AVFrame *frame, AVRational time_base) {
  if (!fits(s, frame) || s->count >= s->room) return false;
  int64_t area = (int64_t)s->width * s->height;
  if (!mediatool_frame_to_rgba(frame, s->pixels + (size_t)(s->count * area * 4))) return false;
  int64_t time = frame->best_effort_timestamp;
  s->times[s->count] = time == AV_NOPTS_VALUE ? -1 : av_rescale_q(time, time_base, (AVRational){1, 1000});
  int64_t length = av_rescale_q(frame->pkt_duration, time_base, (AVRational){1, 1000});
  s->delays[s->count] = length > 0 && length < 3600000 ? (int)length : default_delay;
  s->is_seen_through |= mediatool_frame_has_alpha(frame);
  s->count++;
  return s->count < s->room;
}

// The alpha of that frame. It may be decoded before the frame itself.
static bool append_alpha(strip *s, const AVFrame *frame, int number) {
  if (!fits(s, frame) || number >= s->room) return false;
  size_t area = (size_t)s->width * (size_t)s->height;
  // Frames without alpha stay opaque.
  if (!s->alpha && (s->alpha = g_try_malloc(area * (size_t)s->room))) memset(s->alpha, 255, area * (size_t)s->room);
  uint8_t *grey = g_try_malloc(area * 4);
  bool done = s->alpha && grey && mediatool_frame_to_rgba(frame, grey);
  for (size_t i = 0; done && i < area; i++) s->alpha[(size_t)number * area + i] = grey[i * 4];
  g_free(grey);
  return done && number + 1 < s->room;
}

// Combines color and alpha, and divides premultiplied color by alpha.
static void apply_alpha(strip *s) {
  size_t pixels = s->alpha ? (size_t)s->count * (size_t)s->width * (size_t)s->height : 0;
  for (size_t i = 0; i < pixels; i++) {
    uint8_t *pixel = s->pixels + i * 4, alpha = s->alpha[i];
    pixel[3] = alpha;
    for (int band = 0; s->options->premultiplied && alpha > 0 && band < 3; band++)
      pixel[band] = (uint8_t)MIN(255, (pixel[band] * 255 + alpha / 2) / alpha);
  }
}

// If both frames have a timestamp, their difference is more reliable than the packet's duration.
static void set_delays(strip *s) {
  for (int i = 0; i + 1 < s->count; i++) {
    // Compared first, because the difference of two numbers from a file may overflow.
    if (s->times[i] < 0 || s->times[i + 1] <= s->times[i]) continue;
    int64_t delay = s->times[i + 1] - s->times[i];
    if (delay < 3600000) s->delays[i] = (int)delay;
  }
}

// The stream with this number, else the one with the most frames: an AVIF sequence also has its cover as a track of
// one image.
static int stream_of(const AVFormatContext *container, int track) {
  int best = -1;
  for (unsigned i = 0; i < container->nb_streams; i++) {
    const AVStream *stream = container->streams[i];
    if (stream->codecpar->codec_type != AVMEDIA_TYPE_VIDEO) continue;
    if (track > 0 && stream->id == track) return (int)i;
    if (best < 0 || stream->nb_frames > container->streams[best]->nb_frames) best = (int)i;
  }
  return best;
}

// Receives all frames that the decoder has ready.
static void receive(track *of, strip *s, bool is_alpha, AVRational time_base, AVFrame *frame) {
  while (!of->is_done && avcodec_receive_frame(of->decoder, frame) >= 0) {
    int number = of->seen++ - s->options->first_frame;
    if (number >= 0) of->is_done = !(is_alpha ? append_alpha(s, frame, number) : append(s, frame, time_base));
    av_frame_unref(frame);
  }
}

// Decodes the frames, and their alpha if there is a decoder for the second stream.
static void decode_all(
  AVFormatContext *container, track tracks[2], strip *s, mediatool_input *input, AVPacket *packet, AVFrame *frame) {
  bool is_drained = false;
  while (!is_drained && !(tracks[0].is_done && tracks[1].is_done) && !mediatool_input_timed_out(input)) {
    is_drained = av_read_frame(container, packet) < 0;
    for (int i = 0; i < 2; i++) {
      if (tracks[i].is_done || (!is_drained && packet->stream_index != tracks[i].index)) continue;
      avcodec_send_packet(tracks[i].decoder, is_drained ? NULL : packet);
      receive(&tracks[i], s, i == 1, container->streams[tracks[i].index]->time_base, frame);
    }
    av_packet_unref(packet);
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

// Makes an image of the pixels and transfers their ownership to it. A still without transparent pixels gets no alpha.
static int to_image(strip *s, VipsImage **out, mediatool_vips_error *error) {
  int result = mediatool_vips_from_rgba(s->pixels, s->width, s->height * s->count, s->height, s->delays, out, error);
  if (result || s->count > 1 || s->alpha || s->is_seen_through) return result;
  VipsImage *opaque = NULL;
  result = mediatool_vips_check(vips_extract_band(*out, &opaque, 0, "n", 3, NULL), error);
  g_object_unref(*out);
  *out = opaque;
  return result;
}

int mediatool_frames_decode(
  mediatool_input *input, const mediatool_frames_options *options, VipsImage **out, mediatool_vips_error *error) {
  *out = NULL;
  mediatool_av_options opening = {
    .demuxer = options->demuxer, .decoders = options->decoders, .probe_bytes = 1048576,
    .probe_microseconds = 1000000, .max_streams = 16};
  AVFormatContext *container = NULL;
  if (mediatool_av_open(input, &opening, &container) != MEDIATOOL_AV_OK) return fail(error, "FFmpeg cannot open the container");
  track tracks[2] = {{.index = stream_of(container, options->track)}, {.index = -1}};
  if (options->alpha_track > 0) tracks[1].index = stream_of(container, options->alpha_track);
  bool has_alpha = tracks[1].index >= 0 && tracks[1].index != tracks[0].index;
  for (int i = 0; i < 2; i++) {
    if (tracks[i].index >= 0 && (i == 0 || has_alpha))
      tracks[i].decoder = open_decoder(container->streams[tracks[i].index], options->decoders, options->max_pixels);
    tracks[i].is_done = !tracks[i].decoder;
  }
  AVPacket *packet = av_packet_alloc();
  AVFrame *frame = av_frame_alloc();
  strip s = {.options = options};
  if (packet && frame && tracks[0].decoder) decode_all(container, tracks, &s, input, packet, frame);
  apply_alpha(&s);
  set_delays(&s);
  int result;
  if (s.count > 0) {
    result = to_image(&s, out, error);
  } else {
    g_free(s.pixels);
    result = fail(error, "no frame could be decoded");
  }
  g_free(s.alpha);
  g_free(s.delays);
  g_free(s.times);
  av_frame_free(&frame);
  av_packet_free(&packet);
  for (int i = 0; i < 2; i++) avcodec_free_context(&tracks[i].decoder);
  mediatool_av_close(container);
  return result;
}
