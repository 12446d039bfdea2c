#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/pidfd.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "mediatool_engine.h"

// posix_spawn instead of fork, because the caller has many threads, and may have gigabytes whose page tables fork would copy.
static int actions_of(const mediatool_spawn_options *options, posix_spawn_file_actions_t *actions) {
  int code = 0;
  for (int descriptor = 0; descriptor < MEDIATOOL_WORKER_SOCKET && !code; descriptor++)
    code = posix_spawn_file_actions_addopen(actions, descriptor, "/dev/null", descriptor ? O_WRONLY : O_RDONLY, 0);
  // If both numbers are equal, this clears close-on-exec, as POSIX requires since 2024 and glibc does.
  if (!code) code = posix_spawn_file_actions_adddup2(actions, options->socket, MEDIATOOL_WORKER_SOCKET);
  // Closes descriptors that the embedding program left open without close-on-exec.
  if (!code) code = posix_spawn_file_actions_addclosefrom_np(actions, MEDIATOOL_WORKER_SOCKET + 1);
  return code;
}

static int attributes_of(posix_spawnattr_t *attributes) {
  sigset_t none, all;
  sigemptyset(&none);
  sigfillset(&all);
  int code = posix_spawnattr_setsigmask(attributes, &none);
  if (!code) code = posix_spawnattr_setsigdefault(attributes, &all);
  short flags = POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSID;
  if (!code) code = posix_spawnattr_setflags(attributes, flags);
  return code;
}

int mediatool_spawn(const mediatool_spawn_options *options, mediatool_process *process) {
  posix_spawn_file_actions_t actions;
  int code = posix_spawn_file_actions_init(&actions);
  if (code) return code;
  posix_spawnattr_t attributes;
  code = posix_spawnattr_init(&attributes);
  if (code) {
    posix_spawn_file_actions_destroy(&actions);
    return code;
  }
  char *no_environment[] = {NULL};
  code = actions_of(options, &actions);
  if (!code) code = attributes_of(&attributes);
  if (!code)
    code = posix_spawn(&process->process, options->program, &actions, &attributes, options->arguments, no_environment);
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&actions);
  if (code) return code;
  process->handle = pidfd_open(process->process, 0);
  if (process->handle >= 0) return 0;
  code = errno;
  kill(process->process, SIGKILL);
  waitpid(process->process, NULL, 0);
  return code;
}

void mediatool_kill(mediatool_process process) { pidfd_send_signal(process.handle, SIGKILL, NULL, 0); }

mediatool_end mediatool_wait(mediatool_process process) {
  siginfo_t info = {0};
  int code;
  do code = waitid(P_PIDFD, (id_t)process.handle, &info, WEXITED);
  while (code && errno == EINTR);
  if (code) return (mediatool_end){.known = false};
  bool exited = info.si_code == CLD_EXITED;
  return (mediatool_end){.known = true, .signal = exited ? 0 : info.si_status, .status = exited ? info.si_status : 0};
}

int mediatool_limit_processor_time(pid_t process, int64_t seconds) {
  clockid_t clock;
  int code = clock_getcpuclockid(process, &clock);
  if (code) return code;
  struct timespec used;
  if (clock_gettime(clock, &used)) return errno;
  struct rlimit limit;
  if (prlimit(process, RLIMIT_CPU, NULL, &limit)) return errno;
  rlim_t wanted = (rlim_t)(used.tv_sec + 1 + seconds);
  limit.rlim_cur = wanted < limit.rlim_max ? wanted : limit.rlim_max;
  return prlimit(process, RLIMIT_CPU, &limit, NULL) ? errno : 0;
}
