// What MediaLibrary needs of the system and Swift cannot say. Nothing in here links a library besides libc.
#ifndef MEDIATOOL_LIBRARY_H
#define MEDIATOOL_LIBRARY_H

#include <stdbool.h>
#include <stdint.h>

#pragma clang assume_nonnull begin

// When a name in an open folder came into being, in nanoseconds since 1970, itself and not where it leads; false where the file
// system does not say (statx(2), STATX_BTIME).
bool mediatool_birth(int folder, const char *name, int64_t *nanoseconds);

#pragma clang assume_nonnull end

#endif
