#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <linux/capability.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "mediatool_isolation.h"

bool mediatool_die_with_parent(int socket) {
  if (prctl(PR_SET_PDEATHSIG, SIGKILL)) return false;
  // The parent may have died before: then the other end of the socket is closed, because only the parent has it.
  struct pollfd waiting = {.fd = socket, .events = POLLRDHUP};
  return poll(&waiting, 1, 0) >= 0 && !(waiting.revents & (POLLRDHUP | POLLHUP | POLLERR | POLLNVAL));
}

static int limit(int resource, rlim_t soft, rlim_t hard) {
  return setrlimit((__rlimit_resource_t)resource, &(struct rlimit){.rlim_cur = soft, .rlim_max = hard});
}

#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
// A sanitizer maps terabytes of shadow memory.
#define HAS_NO_ADDRESS_LIMIT 1
#endif
#endif

// Number of descriptors: more than a job needs for its file and the fonts of a page.
enum { max_descriptors = 64 };
// Seconds of processor time at the start. The engine raises the limit for each job, because it knows the deadlines.
enum { first_seconds = 60 };

int mediatool_set_limits(int64_t address_space) {
#ifndef HAS_NO_ADDRESS_LIMIT
  if (address_space > 0) {
    long pages = 0;
    FILE *file = fopen("/proc/self/statm", "re");
    if (!file) return -1;
    int found = fscanf(file, "%ld", &pages);
    fclose(file);
    if (found != 1) return -1;
    rlim_t size = (rlim_t)pages * (rlim_t)sysconf(_SC_PAGESIZE) + (rlim_t)address_space;
    if (limit(RLIMIT_AS, size, size)) return -1;
  }
#endif
  // The hard limit of processor time is not lowered, because an unprivileged engine could not raise it again.
  struct rlimit time;
  if (getrlimit(RLIMIT_CPU, &time)) return -1;
  rlim_t first = time.rlim_max < first_seconds ? time.rlim_max : first_seconds;
  return limit(RLIMIT_CPU, first, time.rlim_max) || limit(RLIMIT_FSIZE, 0, 0) || limit(RLIMIT_CORE, 0, 0) ||
             limit(RLIMIT_NOFILE, max_descriptors, max_descriptors)
           ? -1
           : 0;
}

int mediatool_drop_privileges(void) {
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)) return -1;
  struct __user_cap_header_struct header = {.version = _LINUX_CAPABILITY_VERSION_3, .pid = 0};
  struct __user_cap_data_struct none[_LINUX_CAPABILITY_U32S_3];
  memset(none, 0, sizeof none);
  return syscall(SYS_capset, &header, none) ? -1 : 0;
}

int mediatool_thread_count(void) {
  DIR *folder = opendir("/proc/self/task");
  if (!folder) return -1;
  int count = 0;
  while (readdir(folder)) count++;
  closedir(folder);
  return count - 2;  // . and ..
}

// A user namespace comes first, because it gives the privileges that the others need. None is required: containers
// and administrators may forbid them. A process namespace applies only to children, and a worker has none.
static int enter_namespaces(void) {
  int entered = 0;
  if (unshare(CLONE_NEWUSER) == 0) entered |= MEDIATOOL_NAMESPACE_USER;
  if (unshare(CLONE_NEWNET) == 0) entered |= MEDIATOOL_NAMESPACE_NET;
  if (unshare(CLONE_NEWIPC) == 0) entered |= MEDIATOOL_NAMESPACE_IPC;
  return entered;
}

// The limit of threads in the worker's own user namespace; the engine's limit per worker is lower, and is checked
// during a job. Before Linux 5.14 all processes of the user count, and for root there is no limit.
enum { max_threads = 4096 };

// Libraries may have left something open while they warmed up.
static void close_all_but(int socket) {
  if (socket > STDERR_FILENO + 1) close_range(STDERR_FILENO + 1, (unsigned)socket - 1, 0);
  close_range((unsigned)socket + 1, ~0U, 0);
}

mediatool_isolation mediatool_isolate(mediatool_isolation_options options) {
  mediatool_isolation result = {0};
  close_all_but(options.socket);
  result.limits = mediatool_set_limits(options.address_space) == 0;
  result.namespaces = enter_namespaces();
  result.no_privileges = mediatool_drop_privileges() == 0;
  result.no_dumps = prctl(PR_SET_DUMPABLE, 0, 0, 0, 0) == 0;
  if (mediatool_thread_count() == 1) {
    int version = mediatool_landlock(options.readable);
    result.landlock = version > 0;
    result.landlock_abi = version > 0 ? version : 0;
  }
  // Landlock has its second version since 5.19.
  if ((result.namespaces & MEDIATOOL_NAMESPACE_USER) && result.landlock_abi >= 2)
    limit(RLIMIT_NPROC, max_threads, max_threads);
  result.seccomp = mediatool_seccomp(options.socket) == 0;
  return result;
}
