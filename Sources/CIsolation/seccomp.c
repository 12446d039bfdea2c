#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <seccomp.h>
#include <stddef.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "mediatool_isolation.h"
#include "trapped.h"

// The calls that decoding needs: memory, threads, the clock, reading open files. All others fail with EPERM instead
// of killing the worker, because our libraries try many calls that they can do without.

// Allowed with any arguments.
static const int plain[] = {
  // Memory.
  SCMP_SYS(brk), SCMP_SYS(munmap), SCMP_SYS(mremap), SCMP_SYS(madvise),
  // Threads.
  SCMP_SYS(futex), SCMP_SYS(set_robust_list), SCMP_SYS(rseq), SCMP_SYS(sched_yield),
  SCMP_SYS(sched_get_priority_max), SCMP_SYS(sched_get_priority_min), SCMP_SYS(set_tid_address), SCMP_SYS(gettid),
  SCMP_SYS(exit), SCMP_SYS(exit_group), SCMP_SYS(getcpu),
  // Signals to this process: abort and the handlers of a runtime.
  SCMP_SYS(rt_sigaction), SCMP_SYS(rt_sigprocmask), SCMP_SYS(rt_sigreturn), SCMP_SYS(sigaltstack),
  SCMP_SYS(restart_syscall),
  // Clocks, and information about this process.
  SCMP_SYS(clock_gettime), SCMP_SYS(clock_getres), SCMP_SYS(gettimeofday), SCMP_SYS(time), SCMP_SYS(nanosleep),
  SCMP_SYS(clock_nanosleep), SCMP_SYS(getrusage), SCMP_SYS(times), SCMP_SYS(getpid), SCMP_SYS(getuid),
  SCMP_SYS(geteuid), SCMP_SYS(getgid), SCMP_SYS(getegid), SCMP_SYS(uname), SCMP_SYS(sysinfo), SCMP_SYS(getrandom),
  // Open files: the job's file, which is open for reading only, fonts, /dev/null.
  SCMP_SYS(read), SCMP_SYS(readv), SCMP_SYS(pread64), SCMP_SYS(preadv), SCMP_SYS(lseek), SCMP_SYS(fstat),
  SCMP_SYS(fstatfs), SCMP_SYS(fadvise64), SCMP_SYS(getdents64), SCMP_SYS(close), SCMP_SYS(write), SCMP_SYS(writev),
  SCMP_SYS(poll), SCMP_SYS(ppoll),
};

// Allowed when `argument`, masked, has the value.
struct rule {
  int call;
  unsigned argument;
  unsigned long mask;
  unsigned long value;
};

static int add(scmp_filter_ctx filter, struct rule rule) {
  struct scmp_arg_cmp condition = SCMP_CMP64(rule.argument, SCMP_CMP_MASKED_EQ, rule.mask, rule.value);
  return seccomp_rule_add_array(filter, SCMP_ACT_ALLOW, rule.call, 1, &condition);
}

#define ALL_BITS (~0UL)
// The kernel uses 32 bits of an int, and callers may leave anything in the others.
#define INT_BITS 0xFFFFFFFFUL

// The flags that create a thread, and those that a C library may add for its thread storage and number.
// CLONE_DETACHED has no effect, but musl sets it. Without CLONE_FILES a thread would have its own descriptor table,
// for which the limit on descriptors counts separately.
static const unsigned long thread = CLONE_VM | CLONE_FS | CLONE_FILES | CLONE_SIGHAND | CLONE_THREAD | CLONE_SYSVSEM;
static const unsigned long with_thread =
  CLONE_SETTLS | CLONE_PARENT_SETTID | CLONE_CHILD_SETTID | CLONE_CHILD_CLEARTID | CLONE_DETACHED;

// Flags allowed with O_RDONLY. Those that write, create or query are missing: O_CREAT, O_TRUNC, O_APPEND, O_PATH, and
// O_TMPFILE, which is a separate bit together with that of O_DIRECTORY.
static const unsigned long reading = O_CLOEXEC | O_DIRECTORY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY;

// Reading a limit of this process, not setting one.
static int add_limits(scmp_filter_ctx filter) {
  const struct scmp_arg_cmp conditions[] = {SCMP_CMP64(0, SCMP_CMP_EQ, 0), SCMP_CMP64(2, SCMP_CMP_EQ, 0)};
  return seccomp_rule_add_array(filter, SCMP_ACT_ALLOW, SCMP_SYS(prlimit64), 2, conditions);
}

static int add_conditional(scmp_filter_ctx filter, int socket) {
  unsigned long self = (unsigned long)getpid();
  const struct rule rules[] = {
    // No executable mapping of a file. Anonymous memory may be writable and executable, because Orc, which generates
    // the inner loops of libvips, aborts without it.
    {SCMP_SYS(mmap), 2, PROT_EXEC, 0},
    {SCMP_SYS(mmap), 3, MAP_ANONYMOUS, MAP_ANONYMOUS},
    {SCMP_SYS(mprotect), 2, PROT_EXEC, 0},
    // Threads only, no processes or namespaces. (clone3, whose flags are in memory, fails as on an old kernel.)
    {SCMP_SYS(clone), 0, INT_BITS & ~with_thread, thread},
    // Landlock decides which files. It does not check O_PATH, which opens any file for queries.
    {SCMP_SYS(openat), 2, INT_BITS & ~reading, O_RDONLY},
    // Only for this process: these calls take the number of any.
    {SCMP_SYS(sched_getaffinity), 0, INT_BITS, 0},
    {SCMP_SYS(sched_getaffinity), 0, INT_BITS, self},
    {SCMP_SYS(sched_getparam), 0, INT_BITS, 0},
    {SCMP_SYS(sched_getparam), 0, INT_BITS, self},
    {SCMP_SYS(sched_getscheduler), 0, INT_BITS, 0},
    {SCMP_SYS(sched_getscheduler), 0, INT_BITS, self},
    // Only the engine's socket, no other that might be created or passed.
    {SCMP_SYS(sendmsg), 0, ALL_BITS, (unsigned long)socket},
    {SCMP_SYS(sendto), 0, ALL_BITS, (unsigned long)socket},
    {SCMP_SYS(recvmsg), 0, ALL_BITS, (unsigned long)socket},
    {SCMP_SYS(recvfrom), 0, ALL_BITS, (unsigned long)socket},
    {SCMP_SYS(fcntl), 1, ALL_BITS, F_GETFD},
    {SCMP_SYS(fcntl), 1, ALL_BITS, F_SETFD},
    {SCMP_SYS(fcntl), 1, ALL_BITS, F_GETFL},
    {SCMP_SYS(tgkill), 0, ALL_BITS, self},
    {SCMP_SYS(prctl), 0, ALL_BITS, PR_SET_NAME},
    {SCMP_SYS(prctl), 0, ALL_BITS, PR_GET_NAME},
    {SCMP_SYS(prctl), 0, ALL_BITS, PR_GET_DUMPABLE},
  };
  for (size_t i = 0; i < sizeof rules / sizeof rules[0]; i++)
    if (add(filter, rules[i])) return -1;
  return 0;
}

static int fill(scmp_filter_ctx filter, int socket) {
  // Also for existing threads, if any.
  if (seccomp_attr_set(filter, SCMP_FLTATR_CTL_TSYNC, 1)) return -1;
  for (size_t i = 0; i < sizeof plain / sizeof plain[0]; i++)
    if (seccomp_rule_add(filter, SCMP_ACT_ALLOW, plain[i], 0)) return -1;
  // This program makes no calls of another ABI (32 bit, x32): they kill the whole process, not only the thread.
  if (seccomp_attr_set(filter, SCMP_FLTATR_ACT_BADARCH, SCMP_ACT_KILL_PROCESS)) return -1;
  if (seccomp_rule_add(filter, SCMP_ACT_ERRNO(ENOSYS), SCMP_SYS(clone3), 0)) return -1;
  // glibc before 2.39 implements fstat with this call, which can also query any path, and the filter cannot see which
  // it is. It is trapped and replaced by fstat (see fstat.c).
  if (seccomp_rule_add(filter, SCMP_ACT_TRAP, SCMP_SYS(newfstatat), 0)) return -1;
  // fontconfig checks that a font exists before it opens it. Landlock does not restrict this call, so it always
  // reports success without a check; a missing file fails when it is opened.
  const int always[] = {SCMP_SYS(access), SCMP_SYS(faccessat), SCMP_SYS(faccessat2)};
  for (size_t i = 0; i < sizeof always / sizeof always[0]; i++)
    if (seccomp_rule_add(filter, SCMP_ACT_ERRNO(0), always[i], 0)) return -1;
  return add_limits(filter) || add_conditional(filter, socket) ? -1 : 0;
}

int mediatool_seccomp(int socket) {
  if (mediatool_answer_fstat()) return -1;
  scmp_filter_ctx filter = seccomp_init(SCMP_ACT_ERRNO(EPERM));
  if (!filter) return -1;
  int result = fill(filter, socket) || seccomp_load(filter) ? -1 : 0;
  seccomp_release(filter);
  return result;
}
