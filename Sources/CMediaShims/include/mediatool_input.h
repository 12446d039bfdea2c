// The input of all C code: positional reads, a deadline, and a count of the bytes read.
#ifndef MEDIATOOL_INPUT_H
#define MEDIATOOL_INPUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#pragma clang assume_nonnull begin

typedef struct mediatool_input mediatool_input;

// Takes ownership of the descriptor. Null if memory is short; the caller then keeps the descriptor.
mediatool_input *_Nullable mediatool_input_new(int descriptor, int64_t size);
// Copies the bytes.
mediatool_input *_Nullable mediatool_input_new_memory(const void *_Nullable bytes, size_t size);
// A file whose bytes are asked for. `ask` puts `length` bytes from `offset`, which are inside the file, into the buffer, and returns false if it
// cannot; it is called on the thread that reads. `release` frees `context`, with the input or, if memory is short, at once.
typedef bool (*mediatool_input_ask)(void *_Nonnull context, int64_t offset, void *_Nonnull buffer, size_t length);
mediatool_input *_Nullable mediatool_input_new_asked(
  int64_t size, mediatool_input_ask ask, void (*release)(void *_Nonnull context), void *context);
void mediatool_input_free(mediatool_input *input);

int64_t mediatool_input_size(const mediatool_input *input);
uint64_t mediatool_input_bytes_read(const mediatool_input *input);

// Reads fail after this many nanoseconds. INT64_MAX: never.
void mediatool_input_set_deadline(mediatool_input *input, int64_t nanoseconds_left);
// Whether the deadline has passed; stays true once it was.
bool mediatool_input_timed_out(mediatool_input *input);

// Makes the file seem to end after this many more bytes are read, at any offsets, until the limit is lifted. Bounds a
// reader that searches for something.
void mediatool_input_set_end(mediatool_input *input, int64_t bytes);
void mediatool_input_clear_end(mediatool_input *input);

// Up to length bytes from offset, fewer only at the end; -1 on an input error or past the deadline.
int64_t mediatool_input_read(mediatool_input *input, int64_t offset, void *_Nullable buffer, size_t length);

#pragma clang assume_nonnull end
#endif
