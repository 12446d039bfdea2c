// Private to the shims: the parts of an open video.
#ifndef MEDIATOOL_VIDEO_PRIVATE_H
#define MEDIATOOL_VIDEO_PRIVATE_H

#include <libavcodec/avcodec.h>
#include <libavformat/avformat.h>

#include "mediatool_video.h"

enum { max_key_frames = 1024 };  // that are remembered by their time: more than a storyboard has

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
  int64_t seen[max_key_frames];  // times of key frames
  int seen_count;
};

// A decoder for the stream out of those that are allowed; null with the reason.
AVCodecContext *mediatool_video_decoder(
  const AVStream *stream, const mediatool_video_options *options, mediatool_video_status *status);

// Whether one of the decoders (libavcodec names, comma separated) is for the codec.
bool mediatool_video_can_decode(enum AVCodecID id, const char *decoders);

// Whether the stream is marked as a cover, or as one of the thumbnails of its chapters.
bool mediatool_video_is_cover(const AVStream *stream);

// The video, or where there is none that can be decoded a cover that can; null when there are no images.
AVStream *mediatool_video_shown_stream(AVFormatContext *container, const char *decoders, bool *is_of_cover);

// Rewinds: reopens container and decoder. If that fails, the open ones stay.
mediatool_video_status mediatool_video_rewind(mediatool_video *video);

// Seconds; 0 for unknown.
double mediatool_video_duration(const mediatool_video *video);

// Leads the demuxer to the key frame at or before the time, in units of the stream. False when the container cannot.
bool mediatool_video_seek(mediatool_video *video, int64_t time);

// Whether the frame has parts that were missing or guessed.
bool mediatool_video_is_damaged(const AVFrame *frame);

// The next packet of the stream; with `key`, the next that begins with a key frame. An AVERROR at the end.
int mediatool_video_read(mediatool_video *video, bool key);

// Why there is no frame: the input, or the file.
mediatool_video_status mediatool_video_failure(const mediatool_video *video);

#endif
