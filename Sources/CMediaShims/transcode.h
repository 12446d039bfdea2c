// Private to the shims: what the parts of the transcoder share.
//
// Each part is a file with a header of its own, and calls only parts to its right, so that none calls back:
//   transcode (driver) → replay → video, audio, copy → output → frame_cache → packets
//   video → decoder, frames → deinterlace;  audio → decoder, amr;  copy → strip;  driver → mux → strip, packets
#ifndef MEDIATOOL_TRANSCODE_PRIVATE_H
#define MEDIATOOL_TRANSCODE_PRIVATE_H

#include <libavcodec/avcodec.h>
#include <libavcodec/bsf.h>
#include <libavformat/avformat.h>
#include <libavutil/audio_fifo.h>
#include <libswresample/swresample.h>

#include "mediatool_transcode.h"
#include "transcode_frames.h"
#include "transcode_packets.h"

// The unit of all times, counted from the beginning of the video: the clock of MPEG systems, which is a multiple of
// all usual frame rates.
enum { ticks_a_second = 90000 };
#define TICKS ((AVRational){1, ticks_a_second})

typedef struct {
  AVStream *stream;         // of the source; null if there is none
  AVCodecContext *decoder;  // null for a copy
  mediatool_coding coding;
  AVCodecContext *encoder;     // null for a copy, until the first frame, and for AMR
  AVCodecParameters *parameters;  // of what is written
  AVRational time_base;           // of the packets
  AVBSFContext *filter;
  packet_list packets;
  int64_t end;  // ticks, of the last packet
  bool is_done;
} track;

typedef struct {
  const mediatool_transcode_options *options;
  mediatool_input *input;
  AVFormatContext *container;
  int64_t start;  // of the video, in microseconds
  track video, audio;
  AVPacket *packet, *coded;
  AVFrame *frame, *image;
  bool is_cut, is_too_large;
  bool is_over_limit;  // the file is too large: nothing more is encoded
  mediatool_transcode_result over_limit_result;  // when the limit was exceeded

  // Video.
  frame_converter converter;
  AVRational frame_rate;  // at most
  // The time of the last accepted frame in the encoder's units and in ticks, and the earliest of the next in ticks.
  int64_t last_time, last_ticks, next_time;
  double quantizer, quantizer_debt;

  // Audio.
  SwrContext *resampler;
  AVAudioFifo *fifo;
  struct {
    int format, rate;
    AVChannelLayout layout;
  } resampler_input;        // the format for which the resampler was created
  int64_t samples_in, samples_out;  // added to the queue and removed from it
  void *amr;
} transcoder;

#endif
