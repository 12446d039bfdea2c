// One file for every reader in C: positional reads, a deadline, a count of bytes.
#ifndef MEDIATOOL_INPUT_H
#define MEDIATOOL_INPUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#pragma clang assume_nonnull begin

typedef struct mediatool_input mediatool_input;

// Takes over the descriptor. Null when memory is short; the descriptor is then still the caller's.
mediatool_input *_Nullable mediatool_input_new(int descriptor, int64_t size);
// Copies the bytes.
mediatool_input *_Nullable mediatool_input_new_memory(const void *_Nullable bytes, size_t size);
void mediatool_input_free(mediatool_input *input);

int64_t mediatool_input_size(const mediatool_input *input);
uint64_t mediatool_input_bytes_read(const mediatool_input *input);

// Reads fail once so many nanoseconds have gone by. INT64_MAX for never.
void mediatool_input_set_deadline(mediatool_input *input, int64_t nanoseconds_left);
// Whether the deadline has passed; remembered once it has been noticed.
bool mediatool_input_timed_out(mediatool_input *input);

// The file seems to end after so many further bytes read, wherever they lie, until that is lifted: bounds a reader that looks for
// something without knowing where it is.
void mediatool_input_set_end(mediatool_input *input, int64_t bytes);
void mediatool_input_clear_end(mediatool_input *input);

// Up to length bytes from offset, fewer only at the end; -1 on an input error or past the deadline.
int64_t mediatool_input_read(mediatool_input *input, int64_t offset, void *_Nullable buffer, size_t length);

#pragma clang assume_nonnull end
#endif
