#define _GNU_SOURCE

#include "mediatool_file.h"

#include <errno.h>
#include <stdio.h>
#include <unistd.h>

#ifdef __linux__
#include <sys/syscall.h>
#endif

// For file systems without renames that replace nothing: a second name, then one less.
static int link_new(int folder, const char *from, const char *to) {
  if (linkat(folder, from, folder, to, 0) != 0) return -1;
  return unlinkat(folder, from, 0);
}

int mediatool_rename_new(int folder, const char *from, const char *to) {
#ifdef __APPLE__
  if (renameatx_np(folder, from, folder, to, RENAME_EXCL) == 0) return 0;
  if (errno != ENOTSUP && errno != EINVAL) return -1;
#else
  // RENAME_NOREPLACE is 1.
  if (syscall(SYS_renameat2, folder, from, folder, to, 1u) == 0) return 0;
  if (errno != EINVAL && errno != ENOSYS) return -1;
#endif
  return link_new(folder, from, to);
}
