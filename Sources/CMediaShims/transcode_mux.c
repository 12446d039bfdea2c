#include "transcode_mux.h"

#include <libavutil/mathematics.h>
#include <string.h>

#include "transcode_strip.h"

// A file in memory that can be read while it is written: to put the index first, the muxer reads what it wrote.
typedef struct {
  uint8_t *bytes;
  int64_t size, capacity, maximum;
  bool is_full;
} memory_file;

typedef struct {
  memory_file *file;
  int64_t position;
} memory_cursor;

enum { io_buffer = 65536 };

static int write_memory(void *opaque, uint8_t *bytes, int count) {
  memory_cursor *c = opaque;
  memory_file *f = c->file;
  int64_t end = c->position + count;
  if (end > f->maximum) {
    f->is_full = true;
    return AVERROR(ENOSPC);
  }
  if (end > f->capacity) {
    int64_t capacity = FFMIN(f->maximum, FFMAX(end, f->capacity * 2));
    uint8_t *grown = av_realloc(f->bytes, (size_t)capacity);
    if (!grown) return AVERROR(ENOMEM);
    // Bytes that are skipped and never written must not expose memory of this process.
    memset(grown + f->capacity, 0, (size_t)(capacity - f->capacity));
    f->bytes = grown;
    f->capacity = capacity;
  }
  memcpy(f->bytes + c->position, bytes, (size_t)count);
  c->position = end;
  f->size = FFMAX(f->size, end);
  return count;
}

static int read_memory(void *opaque, uint8_t *bytes, int count) {
  memory_cursor *c = opaque;
  int64_t left = c->file->size - c->position;
  if (left <= 0) return AVERROR_EOF;
  count = (int)FFMIN(left, count);
  memcpy(bytes, c->file->bytes + c->position, (size_t)count);
  c->position += count;
  return count;
}

static int64_t seek_memory(void *opaque, int64_t offset, int whence) {
  memory_cursor *c = opaque;
  if (whence & AVSEEK_SIZE) return c->file->size;
  int64_t base = whence == SEEK_CUR ? c->position : whence == SEEK_END ? c->file->size : 0;
  if (base + offset < 0) return AVERROR(EINVAL);
  return c->position = base + offset;
}

static AVIOContext *open_memory(memory_file *file, bool writes) {
  memory_cursor *c = av_mallocz(sizeof *c);
  uint8_t *buffer = av_malloc(io_buffer);
  AVIOContext *io = c && buffer ? avio_alloc_context(
    buffer, io_buffer, writes, c, writes ? NULL : read_memory, writes ? write_memory : NULL, seek_memory) : NULL;
  if (io) {
    c->file = file;
  } else {
    av_free(buffer);
    av_free(c);
  }
  return io;
}

static int close_memory(AVFormatContext *s, AVIOContext *io) {
  (void)s;
  if (!io) return 0;
  av_free(io->opaque);
  av_freep(&io->buffer);
  avio_context_free(&io);
  return 0;
}

static int reopen_memory(AVFormatContext *s, AVIOContext **io, const char *url, int flags, AVDictionary **options) {
  (void)url, (void)options;
  if (flags != AVIO_FLAG_READ) return AVERROR(EACCES);
  *io = open_memory(s->opaque, false);
  return *io ? 0 : AVERROR(ENOMEM);
}

// The duration of each frame: until the next one; the last has that of the previous one.
static void set_durations(const track *track) {
  const packet_list *list = &track->packets;
  for (int i = 0; i + 1 < list->count; i++) {
    AVPacket *packet = list->items[i];
    if (list->items[i + 1]->pts > packet->pts) packet->duration = list->items[i + 1]->pts - packet->pts;
  }
  if (list->count > 1 && list->items[list->count - 1]->duration <= 0)
    list->items[list->count - 1]->duration = list->items[list->count - 2]->duration;
}

static AVStream *add_stream(AVFormatContext *s, const track *track) {
  if (track->packets.count == 0) return NULL;
  AVStream *stream = avformat_new_stream(s, NULL);
  if (!stream) return NULL;
  if (avcodec_parameters_copy(stream->codecpar, track->parameters) < 0) return NULL;
  stream->time_base = track->time_base;
  return stream;
}

static int write_next(AVFormatContext *s, const track *track, AVStream *stream, int *index) {
  // The list keeps the packet; the muxer gets a reference.
  AVPacket *packet = av_packet_clone(track->packets.items[(*index)++]);
  if (!packet) return AVERROR(ENOMEM);
  packet->stream_index = stream->index;
  av_packet_rescale_ts(packet, track->time_base, stream->time_base);
  int error = av_write_frame(s, packet);
  av_packet_free(&packet);
  return error;
}

// In the order of decoding times.
static int write_all(AVFormatContext *s, const track *a, AVStream *sa, const track *b, AVStream *sb) {
  int i = 0, j = 0, error = 0;
  while (error >= 0) {
    bool has_a = sa && i < a->packets.count, has_b = sb && j < b->packets.count;
    if (!has_a && !has_b) return 0;
    bool takes_a = has_a && (!has_b || av_compare_ts(a->packets.items[i]->dts, a->time_base, b->packets.items[j]->dts, b->time_base) <= 0);
    error = takes_a ? write_next(s, a, sa, &i) : write_next(s, b, sb, &j);
  }
  return error;
}

static const char *muxer_of(const transcoder *t) {
  switch (t->options->container) {
    case MEDIATOOL_CONTAINER_3GP: return "3gp";
    case MEDIATOOL_CONTAINER_AMR: return "amr";
    default: return "mp4";
  }
}

static int write_file(transcoder *t, AVFormatContext *s) {
  AVStream *video = add_stream(s, &t->video), *audio = add_stream(s, &t->audio);
  if ((t->video.packets.count > 0 && !video) || (t->audio.packets.count > 0 && !audio)) return AVERROR(ENOMEM);
  if (!video && !audio) return AVERROR_INVALIDDATA;
  if (video) set_durations(&t->video);
  AVDictionary *options = NULL;
  if (t->options->container != MEDIATOOL_CONTAINER_AMR) {
    av_dict_set(&options, "movflags", "+faststart", 0);
    // The handler names of libavformat are known.
    av_dict_set(&options, "empty_hdlr_name", "1", 0);
    if (t->options->container == MEDIATOOL_CONTAINER_MP4) av_dict_set(&options, "brand", "isom", 0);
  }
  int error = avformat_write_header(s, &options);
  av_dict_free(&options);
  if (error < 0) return error;
  error = write_all(s, &t->video, video, &t->audio, audio);
  // The trailer also frees what the header allocated.
  int end = av_write_trailer(s);
  if (error >= 0) error = end;
  avio_flush(s->pb);
  return error >= 0 ? s->pb->error : error;
}

int transcoder_mux(transcoder *t, mediatool_transcode_result *result) {
  memory_file file = {.maximum = t->options->max_bytes};
  AVFormatContext *s = NULL;
  int error = avformat_alloc_output_context2(&s, NULL, muxer_of(t), NULL);
  if (error < 0) return error;
  s->pb = open_memory(&file, true);
  s->url = av_strdup("");
  s->opaque = &file;
  s->io_open = reopen_memory;
  s->io_close2 = close_memory;
  // No time, no name of a library.
  s->flags |= AVFMT_FLAG_BITEXACT | AVFMT_FLAG_CUSTOM_IO;
  error = s->pb && s->url ? write_file(t, s) : AVERROR(ENOMEM);
  close_memory(s, s->pb);
  s->pb = NULL;
  avformat_free_context(s);
  if (file.is_full) error = AVERROR(ENOSPC);
  if (error < 0) {
    av_free(file.bytes);
    return error;
  }
  strip_file(file.bytes, file.size, t->options->level);
  result->bytes = file.bytes;
  result->size = file.size;
  return 0;
}
