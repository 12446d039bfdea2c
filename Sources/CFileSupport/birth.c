#define _GNU_SOURCE

#include "mediatool_file.h"

#include <fcntl.h>
#include <sys/stat.h>

static bool nanoseconds_of(int64_t seconds, int64_t rest, int64_t *nanoseconds) {
  return !__builtin_mul_overflow(seconds, INT64_C(1000000000), nanoseconds) &&
         !__builtin_add_overflow(*nanoseconds, rest, nanoseconds);
}

bool mediatool_birth(int folder, const char *name, int64_t *nanoseconds) {
#ifdef __APPLE__
  struct stat status;
  if (fstatat(folder, name, &status, AT_SYMLINK_NOFOLLOW) != 0) return false;
  // A file system without birth times reports 0 or the time of the last change.
  if (status.st_birthtimespec.tv_sec <= 0) return false;
  return nanoseconds_of(status.st_birthtimespec.tv_sec, status.st_birthtimespec.tv_nsec, nanoseconds);
#else
  struct statx status;
  if (statx(folder, name, AT_SYMLINK_NOFOLLOW, STATX_BTIME, &status) != 0) return false;
  if (!(status.stx_mask & STATX_BTIME)) return false;
  return nanoseconds_of((int64_t)status.stx_btime.tv_sec, (int64_t)status.stx_btime.tv_nsec, nanoseconds);
#endif
}
