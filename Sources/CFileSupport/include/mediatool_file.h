// System calls of FileSupport that Swift cannot express. Links only libc.
#ifndef MEDIATOOL_FILE_H
#define MEDIATOOL_FILE_H

#include <stdbool.h>
#include <stdint.h>

#pragma clang assume_nonnull begin

// Creation time of a name in an open folder, in nanoseconds since 1970, links not followed; false if the file system does not
// record it (statx(2) with STATX_BTIME on Linux, st_birthtimespec on Darwin).
bool mediatool_birth(int folder, const char *name, int64_t *nanoseconds);

// Renames within an open folder to a name that does not exist, in one step. -1 with errno, EEXIST if anything has the name. Swift does not
// import renameat2 of glibc, which is GNU-only, and musl has none.
int mediatool_rename_new(int folder, const char *from, const char *to);

// Creates an empty file without a name, closed on exec; on Linux both descriptors are the same, and the file can be sealed.
typedef struct {
  int writing;  // -1 with errno on failure
  int reading;
} mediatool_memory;

mediatool_memory mediatool_new_memory(void);

// The same, but always an unlinked file in the temporary folder ($TMPDIR, /tmp): two descriptors, and no seals.
mediatool_memory mediatool_new_spool(void);

// Makes the file immutable. Returns the descriptor for reading, which the caller closes; the other one is closed.
int mediatool_seal(mediatool_memory memory);

#pragma clang assume_nonnull end

#endif
