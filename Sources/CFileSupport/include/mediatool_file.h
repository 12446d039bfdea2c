// What FileSupport needs of the system and Swift cannot say. Nothing in here links a library besides libc.
#ifndef MEDIATOOL_FILE_H
#define MEDIATOOL_FILE_H

#include <stdbool.h>
#include <stdint.h>

#pragma clang assume_nonnull begin

// Creation time of a name in an open folder, in nanoseconds since 1970, links not followed; false if the file system does not
// record it (statx(2) with STATX_BTIME on Linux, st_birthtimespec on Darwin).
bool mediatool_birth(int folder, const char *name, int64_t *nanoseconds);

// A new, empty file without a name, closed on exec: one descriptor twice on Linux, where it can be sealed.
typedef struct {
  int writing;  // -1 with errno when there is none
  int reading;
} mediatool_memory;

mediatool_memory mediatool_new_memory(void);

// From now on nobody can change the file, nor make it shorter. Gives the descriptor for reading, which is the caller's; the other one
// is closed.
int mediatool_seal(mediatool_memory memory);

#pragma clang assume_nonnull end

#endif
