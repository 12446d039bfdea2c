#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stddef.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>

#include "trapped.h"

// SYS_SECCOMP of the kernel's asm-generic/siginfo.h, which conflicts with that of glibc.
enum { by_filter = 1 };

// The trapped call: its number, four of its arguments, and the location of its result.
struct call {
  long number;
  unsigned long arguments[4];
  void *result;
};

static struct call call_of(ucontext_t *context) {
#if defined(__x86_64__)
  greg_t *registers = context->uc_mcontext.gregs;
  return (struct call){
    .number = registers[REG_RAX],
    .arguments = {(unsigned long)registers[REG_RDI], (unsigned long)registers[REG_RSI],
                  (unsigned long)registers[REG_RDX], (unsigned long)registers[REG_R10]},
    .result = &registers[REG_RAX]};
#elif defined(__aarch64__)
  unsigned long long *registers = context->uc_mcontext.regs;
  return (struct call){
    .number = (long)registers[8],
    .arguments = {registers[0], registers[1], registers[2], registers[3]},
    .result = &registers[0]};
#else
#error "unsupported architecture: the registers of system call arguments are unknown"
#endif
}

// Another thread may change the path after this check; that is harmless, because only fstat is called.
static void answer(int signal, siginfo_t *info, void *context) {
  (void)signal;
  // A SIGSYS that the filter did not send is ignored.
  if (info->si_code != by_filter) return;
  struct call call = call_of(context);
  long result = -EPERM;
  const char *path = (const char *)call.arguments[1];
  if (call.number == SYS_newfstatat && call.arguments[3] == AT_EMPTY_PATH && path && *path == 0) {
    int code = errno;
    result = syscall(SYS_fstat, (int)call.arguments[0], (void *)call.arguments[2]) ? -errno : 0;
    errno = code;
  }
  *(long *)call.result = result;
}

int mediatool_answer_fstat(void) {
  struct sigaction action = {.sa_sigaction = answer, .sa_flags = SA_SIGINFO | SA_NODEFER};
  return sigaction(SIGSYS, &action, NULL);
}
