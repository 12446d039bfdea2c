// System calls of MediaEngine and its workers that Swift cannot express: ancillary data of sockets, GNU and Linux extensions. Settings of malloc for
// the server.
// Links only libc, and knows no media format.
#ifndef MEDIATOOL_ENGINE_H
#define MEDIATOOL_ENGINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#pragma clang assume_nonnull begin

// Two connected stream sockets, closed on exec; 0, or -1 with errno.
int mediatool_socket_pair(int *first, int *second);

// Sends bytes and, with the first of them, a descriptor; -1 for none. Returns the number of bytes, or -1 with errno. Never raises SIGPIPE.
ssize_t mediatool_send(int socket, const void *bytes, size_t count, int descriptor);

// Receives bytes and their descriptor, closed on exec; -1 for none. More than one is refused (EPROTO).
ssize_t mediatool_receive(int socket, void *bytes, size_t count, int *descriptor);

// Receives bytes only. The kernel drops descriptors that a hostile sender attaches.
ssize_t mediatool_receive_bytes(int socket, void *bytes, size_t count);

typedef struct {
  const char *program;             // an absolute path
  char *_Nullable const *_Nonnull arguments;  // ends with NULL
  int socket;                      // becomes MEDIATOOL_WORKER_SOCKET, the only descriptor besides 0, 1 and 2, which are /dev/null
} mediatool_spawn_options;

// The descriptor of the socket in a worker.
enum { MEDIATOOL_WORKER_SOCKET = 3 };

typedef struct {
  pid_t process;
  int handle;  // a pidfd: identifies the process even after its number is reused
} mediatool_process;

// Starts a program without environment, in a session of its own (so that Ctrl-C does not reach it), with default signals. 0, or an
// errno.
int mediatool_spawn(const mediatool_spawn_options *options, mediatool_process *process);

// Kills the process.
void mediatool_kill(mediatool_process process);

typedef struct {
  bool known;      // false if another part of the process has reaped it
  int signal;      // the signal that ended it; 0 for none
  int status;      // its exit status
} mediatool_end;

// Waits for its end and reaps it.
mediatool_end mediatool_wait(mediatool_process process);

// Limits its processor time from now on, in seconds; then it gets SIGXCPU. 0, or an errno.
int mediatool_limit_processor_time(pid_t process, int64_t seconds);

// A wake-up call for poll: an eventfd, closed on exec.
int mediatool_event_fd(void);

// Number of processes that the kernel has killed for lack of memory on the whole machine; -1 if it is not known.
int64_t mediatool_memory_kills(void);

// Resident bytes, from an open /proc/PID/statm; -1 if the process has ended.
int64_t mediatool_resident_bytes(int statm);

// Threads of the process whose /proc/PID/task is open; -1 when the process is gone.
int64_t mediatool_thread_links(int tasks);

// Lets blocks of 1 MiB and more be mappings of their own, which go back to the system when they are freed. Without this, glibc raises the size with
// each such block that is freed, up to 32 MiB, and keeps those below. For programs only.
void mediatool_map_large_blocks(void);

// Gives the pages back to the system that malloc has free. Takes milliseconds for each 100 MB.
void mediatool_trim_allocator(void);

#pragma clang assume_nonnull end
#endif
