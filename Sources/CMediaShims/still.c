#include "mediatool_still.h"

#include <libavcodec/avcodec.h>
#include <libavutil/imgutils.h>
#include <libavutil/pixdesc.h>
#include <libswscale/swscale.h>

#include "vips_error.h"

static int fail(mediatool_vips_error *error, const char *text) {
  g_strlcpy(error->text, text, sizeof error->text);
  return -1;
}

// The frame as RGBA in one piece; freed with av_free.
static uint8_t *to_rgba(const AVFrame *frame) {
  int bytes = av_image_get_buffer_size(AV_PIX_FMT_RGBA, frame->width, frame->height, 1);
  uint8_t *pixels = bytes > 0 ? av_malloc((size_t)bytes) : NULL;
  if (!pixels) return NULL;
  uint8_t *planes[4] = {pixels};
  int strides[4] = {frame->width * 4};
  // Same size on both sides: nothing is filtered, only the layout changes.
  struct SwsContext *sws = sws_getContext(
    frame->width, frame->height, (enum AVPixelFormat)frame->format, frame->width, frame->height, AV_PIX_FMT_RGBA,
    SWS_POINT | SWS_ACCURATE_RND, NULL, NULL, NULL);
  int rows = sws ? sws_scale(sws, (const uint8_t *const *)frame->data, frame->linesize, 0, frame->height, planes, strides)
                 : -1;
  sws_freeContext(sws);
  if (rows == frame->height) return pixels;
  av_free(pixels);
  return NULL;
}

static int decode(
  AVCodecContext *context, const void *bytes, size_t length, AVFrame *frame) {
  AVPacket *packet = av_packet_alloc();
  if (!packet) return AVERROR(ENOMEM);
  // Decoders read past the end in words, so the bytes are copied in front of libavcodec's own padding.
  int status = length > INT32_MAX - AV_INPUT_BUFFER_PADDING_SIZE ? AVERROR(EINVAL) : av_new_packet(packet, (int)length);
  if (status >= 0) {
    memcpy(packet->data, bytes, length);
    status = avcodec_send_packet(context, packet);
  }
  if (status >= 0) status = avcodec_receive_frame(context, frame);
  av_packet_free(&packet);
  return status;
}

int mediatool_still_decode(
  VipsSource *source, const char *name, int64_t max_pixels, VipsImage **out, mediatool_vips_error *error) {
  *out = NULL;
  size_t length = 0;
  const void *bytes = vips_source_map(source, &length);
  const AVCodec *codec = avcodec_find_decoder_by_name(name);
  if (!bytes || !codec) return fail(error, "no decoder");
  AVCodecContext *context = avcodec_alloc_context3(codec);
  AVFrame *frame = av_frame_alloc();
  int result = -1;
  if (!context || !frame) {
    fail(error, "out of memory");
  } else {
    context->max_pixels = max_pixels;
    context->thread_count = 1;
    if (avcodec_open2(context, codec, NULL) < 0 || decode(context, bytes, length, frame) < 0) {
      fail(error, "the decoder refused it");
    } else {
      uint8_t *pixels = to_rgba(frame);
      result = pixels ? mediatool_vips_from_rgba(pixels, frame->width, frame->height, frame->height, NULL, out, error)
                      : fail(error, "pixels of an unknown layout");
      av_free(pixels);
      const AVPixFmtDescriptor *layout = av_pix_fmt_desc_get((enum AVPixelFormat)frame->format);
      // An opaque source gets no alpha out of the conversion.
      if (!result && layout && !(layout->flags & (AV_PIX_FMT_FLAG_ALPHA | AV_PIX_FMT_FLAG_PAL))) {
        VipsImage *opaque = NULL;
        result = mediatool_vips_check(vips_extract_band(*out, &opaque, 0, "n", 3, NULL), error);
        g_object_unref(*out);
        *out = opaque;
      }
    }
  }
  av_frame_free(&frame);
  avcodec_free_context(&context);
  return result;
}
