// Private to the shims: the parts of an open video.
#ifndef MEDIATOOL_VIDEO_PRIVATE_H
#define MEDIATOOL_VIDEO_PRIVATE_H

#include <libavcodec/avcodec.h>
#include <libavformat/avformat.h>

#include "mediatool_video.h"

enum { most_key_frames = 64 };  // that are remembered by their time

struct mediatool_video {
  mediatool_input *input;
  mediatool_video_options options;
  AVFormatContext *container;
  AVCodecContext *decoder;
  AVStream *stream;  // the container's
  int64_t start;     // of the stream as the header has it; libav would later take the first packet that is read for it
  AVPacket *packet;
  AVFrame *frame;  // at hand
  AVFrame *best;   // kept
  bool is_cover, has_jumped, is_drained, is_too_large;
  int decoded;
  int64_t seen[most_key_frames];  // times of key frames
  int seen_count;
};

// A decoder for the stream out of those that are allowed; null with the reason.
AVCodecContext *mediatool_video_decoder(
  const AVStream *stream, const mediatool_video_options *options, mediatool_video_status *status);

// Begins anew: container and decoder as just opened.
mediatool_video_status mediatool_video_rewind(mediatool_video *video);

// Leads the demuxer to the key frame at or before the time, in units of the stream. False when the container cannot.
bool mediatool_video_seek(mediatool_video *video, int64_t time);

// The next packet of the stream; with `key`, the next that begins with a key frame. An AVERROR at the end.
int mediatool_video_read(mediatool_video *video, bool key);

// Why there is no frame: the input, or the file.
mediatool_video_status mediatool_video_failure(const mediatool_video *video);

#endif
