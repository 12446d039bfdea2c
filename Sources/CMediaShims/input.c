#include "mediatool_input.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

struct mediatool_input {
  int descriptor;  // -1 for bytes in memory, and for those that are asked for
  mediatool_input_ask ask;
  void (*release)(void *context);
  void *context;
  unsigned char *bytes;
  int64_t size;
  uint64_t bytes_read;
  int64_t deadline;  // CLOCK_MONOTONIC, nanoseconds; INT64_MAX for none
  bool timed_out;
  uint64_t end;  // of bytes_read; UINT64_MAX for none
};

static int64_t now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

mediatool_input *mediatool_input_new(int descriptor, int64_t size) {
  mediatool_input *input = calloc(1, sizeof *input);
  if (!input) return NULL;
  input->descriptor = descriptor;
  input->size = size;
  input->deadline = INT64_MAX;
  input->end = UINT64_MAX;
  return input;
}

mediatool_input *mediatool_input_new_memory(const void *bytes, size_t size) {
  mediatool_input *input = mediatool_input_new(-1, (int64_t)size);
  if (!input) return NULL;
  input->bytes = malloc(size ? size : 1);
  if (!input->bytes) {
    free(input);
    return NULL;
  }
  if (size) memcpy(input->bytes, bytes, size);
  return input;
}

mediatool_input *mediatool_input_new_asked(
  int64_t size, mediatool_input_ask ask, void (*release)(void *context), void *context) {
  mediatool_input *input = mediatool_input_new(-1, size);
  if (!input) {
    release(context);
    return NULL;
  }
  input->ask = ask;
  input->release = release;
  input->context = context;
  return input;
}

void mediatool_input_free(mediatool_input *input) {
  if (input->release) input->release(input->context);
  if (input->descriptor >= 0) close(input->descriptor);
  free(input->bytes);
  free(input);
}

int64_t mediatool_input_size(const mediatool_input *input) { return input->size; }

uint64_t mediatool_input_bytes_read(const mediatool_input *input) { return input->bytes_read; }

void mediatool_input_set_deadline(mediatool_input *input, int64_t nanoseconds_left) {
  int64_t start = now();
  input->deadline = nanoseconds_left > INT64_MAX - start ? INT64_MAX : start + nanoseconds_left;
  input->timed_out = false;
}

bool mediatool_input_timed_out(mediatool_input *input) {
  if (!input->timed_out && input->deadline != INT64_MAX && now() >= input->deadline) input->timed_out = true;
  return input->timed_out;
}

void mediatool_input_set_end(mediatool_input *input, int64_t bytes) {
  input->end = input->bytes_read + (uint64_t)bytes;
}

void mediatool_input_clear_end(mediatool_input *input) { input->end = UINT64_MAX; }

int64_t mediatool_input_read(mediatool_input *input, int64_t offset, void *buffer, size_t length) {
  if (mediatool_input_timed_out(input)) return -1;
  if (offset < 0 || offset >= input->size || length == 0 || input->bytes_read >= input->end) return 0;
  if ((uint64_t)length > (uint64_t)(input->size - offset)) length = (size_t)(input->size - offset);
  size_t done = 0;
  if (input->bytes) {
    memcpy(buffer, input->bytes + offset, length);
    done = length;
  }
  while (done < length) {
    // One megabyte at a time, so that a slow disk cannot delay a read far beyond the deadline.
    size_t step = length - done < 1048576 ? length - done : 1048576;
    ssize_t n;
    if (input->ask) {
      n = input->ask(input->context, offset + (int64_t)done, (char *)buffer + done, step) ? (ssize_t)step : -1;
    } else {
      n = pread(input->descriptor, (char *)buffer + done, step, (off_t)(offset + (int64_t)done));
      if (n < 0 && errno == EINTR) continue;
    }
    if (n < 0) return -1;
    if (n == 0) break;  // the file has shrunk since it was opened
    done += (size_t)n;
    if (done < length && mediatool_input_timed_out(input)) return -1;
  }
  input->bytes_read += done;
  return (int64_t)done;
}
