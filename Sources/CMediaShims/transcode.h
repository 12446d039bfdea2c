// Private to the shims: the parts of a transcoding.
#ifndef MEDIATOOL_TRANSCODE_PRIVATE_H
#define MEDIATOOL_TRANSCODE_PRIVATE_H

#include <libavcodec/avcodec.h>
#include <libavcodec/bsf.h>
#include <libavformat/avformat.h>
#include <libavutil/audio_fifo.h>
#include <libswresample/swresample.h>
#include <libswscale/swscale.h>

#include "mediatool_tone_map.h"
#include "mediatool_transcode.h"

// All times are counted in these from the beginning of the video: the clock of MPEG systems, in which every usual frame rate is whole.
enum { ticks_a_second = 90000 };
#define TICKS ((AVRational){1, ticks_a_second})

// Encoded packets in memory, never more than a limit.
typedef struct {
  AVPacket **items;
  int count, capacity;
  int64_t bytes;
} packet_list;

// Takes over the packet's data, and leaves it empty.
bool packet_list_append(packet_list *list, AVPacket *packet);
void packet_list_free(packet_list *list);

// Frames as the encoder takes them: small, upright, 8 bits, 4:2:0.
typedef struct {
  struct SwsContext *scaler, *finisher;
  mediatool_tone_map *light;
  int light_transfer, light_primaries;
  AVFrame *scaled;   // not yet turned
  AVFrame *before, *mended;  // of an interlaced video the last frame as it was decoded, and this one in one moment
  uint8_t *signals;  // 16-bit RGBA of a high range
  uint8_t *pixels;   // 8-bit RGBA of one that goes through sRGB
  struct {
    int format, width, height, matrix, layout;
    bool is_full;
  } prepared;  // what the scaler is made for
} image_maker;

typedef struct {
  int width, height;   // upright
  int shown_width, shown_height;  // of it the video's
  int orientation;     // EXIF's
  int matrix;          // SWS_CS_… of what comes out; 0 to keep the source's
  int transfer;        // that of the source where its frames do not say
  int primaries;       // likewise
  double peak;         // of its light in cd/m²; 0 for unknown
} image_options;

// Writes the frame into a new image; its colours are tagged. An AVERROR.
int image_make(image_maker *maker, const AVFrame *frame, const image_options *options, AVFrame *image);
// An interlaced frame is two moments a fiftieth of a second apart, whose lines tear what moves: the same frame in the first of them, with all the rows
// where nothing moves. A frame that is not interlaced, or of a layout that interlaced videos hardly have, as it is. Null when memory is short.
const AVFrame *image_in_one(image_maker *maker, const AVFrame *frame);
void image_maker_free(image_maker *maker);

typedef struct {
  AVStream *stream;         // of the source; null for none
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
  bool is_over;  // its bytes are too many: nothing more is encoded
  mediatool_transcode_result came_to;  // by then

  // Video.
  image_maker maker;
  AVRational frame_rate;  // at most
  // Of the last frame that was taken, in the encoder's units and in ticks, and the earliest of the next, in ticks.
  int64_t last_time, last_ticks, next_time;
  double quantizer, quantizer_debt;

  // Audio.
  SwrContext *resampler;
  AVAudioFifo *fifo;
  struct {
    int format, rate;
    AVChannelLayout layout;
  } heard;                  // what the resampler is made for
  int64_t samples_in, samples_out;  // that went into the queue and out of it
  void *amr;
} transcoder;

// Time of the video in ticks; false for one that is unknown or beyond belief.
bool transcoder_time(const transcoder *t, int64_t time, AVRational base, int64_t *ticks);
// The end of the video as the options have it, in ticks.
int64_t transcoder_end(const transcoder *t);
// What the video will come to, by what it has come to so far; 0 while that cannot be told.
int64_t transcoder_projected(const transcoder *t);
// Adds a packet in units of the track's time base; tells when it is all too much.
int transcoder_add(transcoder *t, track *track, AVPacket *packet);
// A new decoder out of those that are allowed.
mediatool_transcode_status transcoder_open_decoder(const transcoder *t, track *track);

mediatool_transcode_status video_start(transcoder *t);
int video_take(transcoder *t, const AVFrame *frame);
// Encodes t->image, which has its time in these units.
int video_encode(transcoder *t);
int video_end(transcoder *t);
AVRational video_time_base(const transcoder *t);
mediatool_transcode_status audio_start(transcoder *t);
int audio_take(transcoder *t, const AVFrame *frame);  // null at the end
mediatool_transcode_status copy_start(transcoder *t, track *track);
int copy_take(transcoder *t, track *track, AVPacket *packet);

// The memory of the options, if there is one. Filled by a try from its beginning to its end; played in place of a source by one that takes the
// same.
bool memory_is_of(const mediatool_transcode_options *options);
void memory_begin(transcoder *t);
void memory_add(transcoder *t, const AVFrame *image);
void memory_end(transcoder *t);
bool memory_is_filling(const transcoder *t);
int memory_play(transcoder *t);

// Takes out of a file, and of a frame of AAC, what says which program wrote it. H.263 gets its level.
void file_make_anonymous(uint8_t *bytes, int64_t size, int h263_level);
int aac_make_anonymous(AVPacket *packet);

// Writes both tracks. An AVERROR; ENOSPC where it is more than allowed.
int transcoder_mux(transcoder *t, mediatool_transcode_result *result);

// libopencore-amrnb: an encoder, and one frame of 160 samples. `bit_rate`: the nearest of its eight.
bool amr_is_there(void);
void *amr_open(void);
void amr_close(void *encoder);
int amr_encode(void *encoder, int64_t bit_rate, const int16_t *samples, uint8_t *bytes);
enum { amr_rate = 8000, amr_frame = 160, amr_most_bytes = 32 };

#endif
