// What MediaEngine and its workers need of the system and Swift cannot say: ancillary data of sockets, GNU and Linux extensions.
// Nothing in here knows a media format, and nothing links a library besides libc.
#ifndef MEDIATOOL_ENGINE_H
#define MEDIATOOL_ENGINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#pragma clang assume_nonnull begin

// Two connected stream sockets, closed on exec; 0, or -1 with errno.
int mediatool_socket_pair(int *first, int *second);

// Sends bytes and, with the first of them, a descriptor; -1 for none. How many bytes went, or -1 with errno. Never raises SIGPIPE.
ssize_t mediatool_send(int socket, const void *bytes, size_t count, int descriptor);

// Receives bytes and the descriptor that came with them, closed on exec; -1 where none came. More than one is refused (EPROTO).
ssize_t mediatool_receive(int socket, void *bytes, size_t count, int *descriptor);

// Receives bytes alone. Whatever descriptors a hostile sender put beside them, the kernel drops.
ssize_t mediatool_receive_bytes(int socket, void *bytes, size_t count);

typedef struct {
  const char *program;             // an absolute path
  char *_Nullable const *_Nonnull arguments;  // ends with NULL
  int socket;                      // becomes MEDIATOOL_WORKER_SOCKET, the only descriptor besides 0, 1 and 2, which are /dev/null
} mediatool_spawn_options;

// The number of the socket in a worker.
enum { MEDIATOOL_WORKER_SOCKET = 3 };

typedef struct {
  pid_t process;
  int handle;  // a pidfd: names the process also once its number is somebody else's
} mediatool_process;

// Starts a program with no environment, in a session of its own (a Ctrl-C at the terminal is not for it), with default signals. 0, or
// an errno.
int mediatool_spawn(const mediatool_spawn_options *options, mediatool_process *process);

// Ends it at once.
void mediatool_kill(mediatool_process process);

typedef struct {
  bool known;      // false where somebody else has collected the process
  int signal;      // that ended it; 0 for none
  int status;      // of its exit
} mediatool_end;

// Waits for its end and collects it.
mediatool_end mediatool_wait(mediatool_process process);

// Seconds of processor time that it may use from now on; at the end of them it gets SIGXCPU. 0, or an errno.
int mediatool_limit_processor_time(pid_t process, int64_t seconds);

// A wake-up call for poll: an eventfd, closed on exec.
int mediatool_event_fd(void);

// How often the kernel has killed a process for want of memory, on the whole machine; -1 where it does not say.
int64_t mediatool_memory_kills(void);

// Resident bytes, from an open /proc/PID/statm; -1 if the process has ended.
int64_t mediatool_resident_bytes(int statm);

#pragma clang assume_nonnull end
#endif
