#define _GNU_SOURCE
#include <signal.h>
#include <stdatomic.h>
#include <stdint.h>
#include <sys/mman.h>
#include <unistd.h>

#include "mediatool_isolation.h"

// How libraries end the process when memory is exhausted: GLib traps (g_malloc), libstdc++, Rust and Swift abort, and
// code that does not check the result of malloc accesses address 0. Without a record these look like any other crash.

static atomic_bool failed;
static int exit_status;

void mediatool_note_failed_allocation(void) { atomic_store_explicit(&failed, true, memory_order_relaxed); }

void mediatool_erase_failed_allocations(void) { atomic_store_explicit(&failed, false, memory_order_relaxed); }

bool mediatool_has_failed_allocation(void) { return atomic_load_explicit(&failed, memory_order_relaxed); }

// Memory that is allocated without malloc, for example a thread's stack, is not recorded. But then hardly any memory
// is left.
static bool is_full(void) {
  const size_t little = 16 << 20;
  void *memory = mmap(NULL, little, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) return true;
  munmap(memory, little);
  return false;
}

// Calls only functions that are safe in a signal handler.
static void ended(int number, siginfo_t *info, void *context) {
  (void)context;
  bool is_fault = number == SIGSEGV || number == SIGBUS;
  // A field of a structure that malloc did not return is near address 0.
  bool is_near_null = is_fault && (uintptr_t)info->si_addr < (1 << 20);
  if ((mediatool_has_failed_allocation() && (!is_fault || is_near_null)) || is_full()) _exit(exit_status);
  // Ends as without this handler: restores the default action and raises the signal again.
  signal(number, SIG_DFL);
  raise(number);
}

int mediatool_exit_when_short_of_memory(int status) {
  exit_status = status;
  const int signals[] = {SIGABRT, SIGTRAP, SIGILL, SIGSEGV, SIGBUS};
  for (size_t i = 0; i < sizeof signals / sizeof signals[0]; i++) {
    struct sigaction action = {.sa_sigaction = ended, .sa_flags = SA_SIGINFO};
    if (sigaction(signals[i], &action, NULL)) return -1;
  }
  return 0;
}
