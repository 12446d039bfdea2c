#define _GNU_SOURCE

#include "mediatool_library.h"

#include <fcntl.h>
#include <sys/stat.h>

bool mediatool_birth(int folder, const char *name, int64_t *nanoseconds) {
  struct statx status;
  if (statx(folder, name, AT_SYMLINK_NOFOLLOW, STATX_BTIME, &status) != 0) return false;
  if (!(status.stx_mask & STATX_BTIME)) return false;
  return !__builtin_mul_overflow((int64_t)status.stx_btime.tv_sec, INT64_C(1000000000), nanoseconds) &&
         !__builtin_add_overflow(*nanoseconds, (int64_t)status.stx_btime.tv_nsec, nanoseconds);
}
