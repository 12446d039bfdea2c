// Private to the shims: the parts of an open video.
#ifndef MEDIATOOL_VIDEO_PRIVATE_H
#define MEDIATOOL_VIDEO_PRIVATE_H

#include <libavcodec/avcodec.h>
#include <libavformat/avformat.h>

#include "mediatool_video.h"

enum { max_key_frames = 1024 };  // whose times are remembered: more than a storyboard has

struct mediatool_video {
  mediatool_input *input;
  mediatool_video_options options;
  AVFormatContext *container;
  AVCodecContext *decoder;
  AVStream *stream;  // the container's
  int64_t start;     // start of the stream according to the header; libav would later replace it by that of the first packet read
  AVPacket *packet;
  AVFrame *frame;  // the current frame
  AVFrame *best;   // the frame that was kept
  bool is_cover, has_jumped, is_drained, is_too_large;
  int decoded;
  int64_t seen[max_key_frames];  // times of key frames
  int seen_count;
};

// Opens an allowed decoder for the stream; null with the reason on failure.
AVCodecContext *mediatool_video_decoder(
  const AVStream *stream, const mediatool_video_options *options, mediatool_video_status *status);

// Whether one of the decoders (names of libavcodec, comma-separated) supports the codec.
bool mediatool_video_can_decode(enum AVCodecID id, const char *decoders);

// Whether the stream is marked as a cover or as chapter thumbnails.
bool mediatool_video_is_cover(const AVStream *stream);

// The video stream. If none can be decoded, a cover that can be; null if there is neither.
AVStream *mediatool_video_shown_stream(AVFormatContext *container, const char *decoders, bool *is_of_cover);

// Rewinds by reopening container and decoder. On failure the current ones stay open.
mediatool_video_status mediatool_video_rewind(mediatool_video *video);

// Seconds; 0 for unknown.
double mediatool_video_duration(const mediatool_video *video);

// Seeks to the key frame at or before the time, in units of the stream. False if the container does not support it.
bool mediatool_video_seek(mediatool_video *video, int64_t time);

// Whether parts of the frame were missing or concealed.
bool mediatool_video_is_damaged(const AVFrame *frame);

// The next packet of the stream; with `key`, the next that begins with a key frame. An AVERROR at the end.
int mediatool_video_read(mediatool_video *video, bool key);

// The reason for a missing frame: the input or the file.
mediatool_video_status mediatool_video_failure(const mediatool_video *video);

#endif
