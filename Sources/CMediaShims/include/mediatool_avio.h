// Reads containers with libavformat from a mediatool_input.
#ifndef MEDIATOOL_AVIO_H
#define MEDIATOOL_AVIO_H

#include <libavformat/avformat.h>

#include "mediatool_input.h"

#pragma clang assume_nonnull begin

typedef struct {
  // The only demuxer that may read the file, by its name in libavformat. There is no detection.
  const char *demuxer;
  // The only decoders that may be opened: libavcodec names, comma separated.
  const char *decoders;
  // How far avformat_find_stream_info may read.
  int64_t probe_bytes;
  int64_t probe_microseconds;
  // A file that declares more is refused.
  int32_t max_streams;
} mediatool_av_options;

// Meanings of AVERROR codes. AVERROR() and AVERROR_*() are macros that Swift does not import.
typedef enum : int32_t {
  MEDIATOOL_AV_OK = 0,
  MEDIATOOL_AV_INVALID,      // the content contradicts its format, or ends too early
  MEDIATOOL_AV_UNSUPPORTED,  // libav has no demuxer or decoder for it, or none is allowed
  MEDIATOOL_AV_NO_MEMORY,
  MEDIATOOL_AV_INPUT,  // the input failed or its deadline passed: the input knows which
} mediatool_av_status;

// Applies the process-wide settings of libav once: no log output, and at most 256 MiB per allocation. Called before
// any other function of libav, so that results do not depend on earlier files.
void mediatool_av_start(void);

// Opens a container and reads its header. On success the caller owns the context, and closes it with
// mediatool_av_close before it frees the input.
mediatool_av_status mediatool_av_open(
    mediatool_input *input, const mediatool_av_options *options, AVFormatContext *_Nullable *_Nonnull context);

// Reads packets until the streams' parameters are known or a limit of the options is reached.
mediatool_av_status mediatool_av_read_stream_info(AVFormatContext *context);

// The main video stream. Of several, one with a supported decoder (libavcodec names, comma separated) is preferred, then a video over a
// likely cover, then the stream marked as default, then the first. Null if all are marked as covers, or there is none. Facts and
// posters use the same stream.
AVStream *_Nullable mediatool_av_video(AVFormatContext *context, const char *decoders);

// Whether a read of the input has failed or its deadline has passed, whatever libav reported.
bool mediatool_av_input_failed(const AVFormatContext *context);

void mediatool_av_close(AVFormatContext *context);

// Side data of a stream, null when it has none of that type. libav moved it in FFmpeg 6.1.
const uint8_t *_Nullable mediatool_av_side_data(const AVStream *stream, enum AVPacketSideDataType type, size_t *size);

// AV_NOPTS_VALUE, a macro with a cast that Swift does not import.
extern const int64_t mediatool_av_no_time;

#pragma clang assume_nonnull end
#endif
