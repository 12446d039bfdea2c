#include "mediatool_avio.h"

#include <libavutil/mem.h>
#include <libavutil/opt.h>
#include <pthread.h>
#include <string.h>

// libav reads in steps of this size: large enough to get a header with one read, small enough to waste little after a
// seek.
enum { buffer_size = 32768 };

// The largest single allocation that libav may make. A frame of 8192 x 8192 in 4:2:0 with 16 bits fits; a hostile sample table does not.
enum { largest_allocation = 268435456 };

const int64_t mediatool_av_no_time = AV_NOPTS_VALUE;

typedef struct {
  mediatool_input *input;
  int64_t position;
  bool failed;  // a read has failed, whatever libav reports
} cursor;

// The only place with process-wide settings.
static void start(void) {
  // libav would log to stderr, including parts of the file. Errors are returned as a status anyway.
  av_log_set_level(AV_LOG_QUIET);
  av_max_alloc(largest_allocation);
}

void mediatool_av_start(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, start);
}

static int read_packet(void *opaque, uint8_t *buffer, int length) {
  cursor *c = opaque;
  int64_t n = mediatool_input_read(c->input, c->position, buffer, (size_t)length);
  if (n < 0) {
    c->failed = true;
    return mediatool_input_timed_out(c->input) ? AVERROR_EXIT : AVERROR(EIO);
  }
  if (n == 0) return AVERROR_EOF;
  c->position += n;
  return (int)n;
}

static int64_t seek(void *opaque, int64_t offset, int whence) {
  cursor *c = opaque;
  int64_t size = mediatool_input_size(c->input);
  int64_t base;
  switch (whence & ~AVSEEK_FORCE) {
    case AVSEEK_SIZE: return size;
    case SEEK_SET: base = 0; break;
    case SEEK_CUR: base = c->position; break;
    case SEEK_END: base = size; break;
    default: return AVERROR(EINVAL);
  }
  int64_t target;
  if (__builtin_add_overflow(base, offset, &target) || target < 0) return AVERROR(EINVAL);
  return c->position = target;
}

static int interrupted(void *opaque) { return mediatool_input_timed_out(opaque); }

// Playlists, external references and image sequences refer to other files, which are never opened.
static int refuse(AVFormatContext *s, AVIOContext **pb, const char *url, int flags, AVDictionary **options) {
  (void)s, (void)url, (void)flags, (void)options;
  *pb = NULL;
  return AVERROR(EACCES);
}

static void free_io(AVIOContext *io) {
  if (!io) return;
  cursor *c = io->opaque;
  av_freep(&io->buffer);
  avio_context_free(&io);
  av_free(c);
}

static AVIOContext *new_io(mediatool_input *input) {
  cursor *c = av_mallocz(sizeof *c);
  unsigned char *buffer = av_malloc(buffer_size);
  AVIOContext *io = c && buffer ? avio_alloc_context(buffer, buffer_size, 0, c, read_packet, NULL, seek) : NULL;
  if (!io) {
    av_free(buffer);
    av_free(c);
    return NULL;
  }
  c->input = input;
  return io;
}

// libav reports some failed reads as other errors, and some invalid files as EIO. The cursor knows which it was.
static mediatool_av_status status(int error, const AVIOContext *io) {
  if (error >= 0) return MEDIATOOL_AV_OK;
  const cursor *c = io->opaque;
  if (c->failed || mediatool_input_timed_out(c->input)) return MEDIATOOL_AV_INPUT;
  switch (error) {
    case AVERROR(ENOMEM): return MEDIATOOL_AV_NO_MEMORY;
    case AVERROR_PATCHWELCOME:
    case AVERROR(ENOSYS):
    case AVERROR_DEMUXER_NOT_FOUND:
    case AVERROR_DECODER_NOT_FOUND: return MEDIATOOL_AV_UNSUPPORTED;
    default: return MEDIATOOL_AV_INVALID;
  }
}

mediatool_av_status mediatool_av_open(
    mediatool_input *input, const mediatool_av_options *options, AVFormatContext **context) {
  mediatool_av_start();
  *context = NULL;
  const AVInputFormat *demuxer = av_find_input_format(options->demuxer);
  if (!demuxer) return MEDIATOOL_AV_UNSUPPORTED;
  bool is_movie = strcmp(options->demuxer, "mov") == 0;
  AVIOContext *io = new_io(input);
  AVFormatContext *s = io ? avformat_alloc_context() : NULL;
  if (!s) {
    free_io(io);
    return MEDIATOOL_AV_NO_MEMORY;
  }
  s->pb = io;
  s->flags |= AVFMT_FLAG_CUSTOM_IO;
  s->io_open = refuse;
  s->interrupt_callback = (AVIOInterruptCB){.callback = interrupted, .opaque = input};
  s->probesize = options->probe_bytes;
  s->max_analyze_duration = options->probe_microseconds;
  s->max_streams = options->max_streams;
  // An empty list allows no protocol at all. av_strdup, because the context frees them.
  s->protocol_whitelist = av_strdup("");
  s->format_whitelist = av_strdup(demuxer->name);
  s->codec_whitelist = av_strdup(options->decoders);
  int error = AVERROR(ENOMEM);
  AVDictionary *dictionary = NULL;
  if (is_movie) {
    // libav would visit every fragment of a movie to list its samples: 32 KiB per second of video. The indexes at the
    // beginning (sidx) and the end (mfra), if any, are enough.
    s->flags |= AVFMT_FLAG_IGNIDX;
    av_dict_set(&dictionary, "use_mfra_for", "pts", 0);
  }
  if (s->protocol_whitelist && s->format_whitelist && s->codec_whitelist) {
    // Frees the context itself when it fails, but never an AVIOContext of ours.
    error = avformat_open_input(&s, NULL, demuxer, &dictionary);
  } else {
    avformat_free_context(s);
  }
  av_dict_free(&dictionary);
  if (error < 0) {
    mediatool_av_status why = status(error, io);
    free_io(io);
    return why;
  }
  *context = s;
  return MEDIATOOL_AV_OK;
}

mediatool_av_status mediatool_av_read_stream_info(AVFormatContext *context) {
  int error = avformat_find_stream_info(context, NULL);
  // libav treats a failed read as the end of the file, and an interruption as a reason to stop early, and reports
  // success for both.
  return mediatool_av_input_failed(context) ? MEDIATOOL_AV_INPUT : status(error, context->pb);
}

bool mediatool_av_input_failed(const AVFormatContext *context) {
  const cursor *c = context->pb->opaque;
  return c->failed || mediatool_input_timed_out(c->input);
}

void mediatool_av_close(AVFormatContext *context) {
  AVIOContext *io = context->pb;
  avformat_close_input(&context);
  free_io(io);
}

const uint8_t *mediatool_av_side_data(const AVStream *stream, enum AVPacketSideDataType type, size_t *size) {
#if LIBAVFORMAT_VERSION_INT >= AV_VERSION_INT(60, 15, 100)
  const AVCodecParameters *p = stream->codecpar;
  const AVPacketSideData *data = av_packet_side_data_get(p->coded_side_data, p->nb_coded_side_data, type);
  *size = data ? data->size : 0;
  return data ? data->data : NULL;
#else
  return av_stream_get_side_data(stream, type, size);
#endif
}
