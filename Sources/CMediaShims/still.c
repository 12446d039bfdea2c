#include "mediatool_still.h"

#include <libavcodec/avcodec.h>
#include <string.h>

#include "mediatool_avio.h"
#include "mediatool_pixels.h"
#include "vips_error.h"

static mediatool_vips_status fail(mediatool_vips_error *error, const char *text) {
  g_strlcpy(error->text, text, sizeof error->text);
  return MEDIATOOL_VIPS_FAILED;
}

static int decode(
  AVCodecContext *context, const void *bytes, size_t length, AVFrame *frame) {
  AVPacket *packet = av_packet_alloc();
  if (!packet) return AVERROR(ENOMEM);
  // Decoders read beyond the end in whole words, so the bytes are copied into a packet with padding.
  int status = length > INT32_MAX - AV_INPUT_BUFFER_PADDING_SIZE ? AVERROR(EINVAL) : av_new_packet(packet, (int)length);
  if (status >= 0) {
    memcpy(packet->data, bytes, length);
    status = avcodec_send_packet(context, packet);
  }
  if (status >= 0) status = avcodec_receive_frame(context, frame);
  av_packet_free(&packet);
  return status;
}

// Makes an image of the frame; an opaque frame gets no alpha channel.
static mediatool_vips_status to_image(const AVFrame *frame, VipsImage **out, mediatool_vips_error *error) {
  uint8_t *pixels = g_try_malloc((gsize)frame->width * (gsize)frame->height * 4);
  if (!pixels) return fail(error, "out of memory");
  if (!mediatool_frame_to_rgba(frame, pixels)) {
    g_free(pixels);
    return fail(error, "unknown pixel format");
  }
  if (mediatool_vips_from_rgba(pixels, frame->width, frame->height, frame->height, NULL, out, error)) return MEDIATOOL_VIPS_FAILED;
  if (mediatool_frame_has_alpha(frame)) return MEDIATOOL_VIPS_OK;
  VipsImage *opaque = NULL;
  int result = mediatool_vips_check(vips_extract_band(*out, &opaque, 0, "n", 3, NULL), error);
  g_object_unref(*out);
  *out = opaque;
  return result ? MEDIATOOL_VIPS_FAILED : MEDIATOOL_VIPS_OK;
}

mediatool_vips_status mediatool_still_decode(
  VipsSource *source, const char *name, int64_t max_pixels, VipsImage **out, mediatool_vips_error *error) {
  *out = NULL;
  mediatool_av_start();
  size_t length = 0;
  const void *bytes = vips_source_map(source, &length);
  const AVCodec *codec = avcodec_find_decoder_by_name(name);
  if (!bytes || !codec) return fail(error, "no decoder for this codec");
  AVCodecContext *context = avcodec_alloc_context3(codec);
  AVFrame *frame = av_frame_alloc();
  mediatool_vips_status result = MEDIATOOL_VIPS_FAILED;
  if (!context || !frame) {
    fail(error, "out of memory");
  } else {
    context->max_pixels = max_pixels;
    context->thread_count = 1;
    int status = avcodec_open2(context, codec, NULL);
    if (status >= 0) status = decode(context, bytes, length, frame);
    if (status == AVERROR(ENOMEM)) {
      fail(error, "the decoder exceeded its memory limit");
      result = MEDIATOOL_VIPS_NO_MEMORY;
    } else if (status < 0) {
      fail(error, "the decoder rejected the data");
    } else {
      result = to_image(frame, out, error);
    }
  }
  av_frame_free(&frame);
  avcodec_free_context(&context);
  return result;
}

bool mediatool_still_has_decoder(const char *codec) { return avcodec_find_decoder_by_name(codec) != NULL; }
