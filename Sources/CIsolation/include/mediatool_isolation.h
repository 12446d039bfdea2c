// Isolation of a worker: resource limits, no privileges, Landlock and seccomp, in this order and permanently.
#ifndef MEDIATOOL_ISOLATION_H
#define MEDIATOOL_ISOLATION_H

#include <stdbool.h>
#include <stdint.h>

#pragma clang assume_nonnull begin

typedef struct {
  int64_t address_space;  // bytes beyond those that are mapped already; 0 for no limit
  int socket;             // the only socket that may be used; every other descriptor above 2 is closed
  const char *_Nullable const *_Nonnull readable;  // files and folders that may still be read; ends with NULL
} mediatool_isolation_options;

// The active layers. Each is set only after the kernel has confirmed it.
typedef struct {
  bool limits;         // RLIMIT_AS, RLIMIT_CPU, RLIMIT_FSIZE, RLIMIT_NOFILE, RLIMIT_CORE
  bool no_dumps;       // PR_SET_DUMPABLE 0: no core file, no ptrace by others, /proc/self/mem closed
  bool no_privileges;  // no capabilities, and no way to gain any: PR_SET_NO_NEW_PRIVS
  bool landlock;       // no files but the readable ones
  int landlock_abi;    // its version, 0 for none: 4 adds TCP, 6 abstract sockets and signals
  bool seccomp;        // only the system calls listed in seccomp.c
  int namespaces;      // those of its own, where the kernel permits: MEDIATOOL_NAMESPACE_…
} mediatool_isolation;

enum { MEDIATOOL_NAMESPACE_USER = 1, MEDIATOOL_NAMESPACE_NET = 2, MEDIATOOL_NAMESPACE_IPC = 4 };

// Makes this process die with its parent; false if the parent has died already. Call it first.
bool mediatool_die_with_parent(int socket);

// Isolates the process. Call it while there is only one thread: Landlock applies to the calling thread and threads that it starts.
mediatool_isolation mediatool_isolate(mediatool_isolation_options options);

// The single layers, each 0 or -1; landlock returns its version.
int mediatool_set_limits(int64_t address_space);
int mediatool_drop_privileges(void);
int mediatool_landlock(const char *_Nullable const *_Nonnull readable);
int mediatool_seccomp(int socket);

// Records a failed allocation. Called by the allocator, from any thread.
void mediatool_note_failed_allocation(void);

// Resets the record at the start of a job.
void mediatool_erase_failed_allocations(void);

// Whether an allocation has failed since the last reset.
bool mediatool_has_failed_allocation(void);

// From now on the process exits with that status instead of dying by a signal for lack of memory, as far as that is detectable; 0 or -1.
int mediatool_exit_when_short_of_memory(int status);

// Number of threads of this process.
int mediatool_thread_count(void);

#pragma clang assume_nonnull end
#endif
