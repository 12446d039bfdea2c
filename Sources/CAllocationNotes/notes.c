#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <stddef.h>

#include "mediatool_allocation_notes.h"
#include "mediatool_isolation.h"

void mediatool_note_allocations(void) {}

#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
// A sanitizer has an allocator of its own.
#define HAS_ANOTHER_ALLOCATOR 1
#endif
#endif

#if defined(__GLIBC__) && !defined(HAS_ANOTHER_ALLOCATOR)
// The GNU C Library Reference Manual, 3.2.5 "Replacing malloc": all these functions must be replaced together. free and
// the functions that only inspect memory stay glibc's, because the memory is glibc's.
extern void *__libc_malloc(size_t);
extern void *__libc_calloc(size_t, size_t);
extern void *__libc_realloc(void *, size_t);
extern void *__libc_memalign(size_t, size_t);
extern void *__libc_valloc(size_t);
extern void *__libc_pvalloc(size_t);

static void *noted(void *memory) {
  if (__builtin_expect(!memory, 0)) mediatool_note_failed_allocation();
  return memory;
}

void *malloc(size_t size) { return noted(__libc_malloc(size)); }

void *calloc(size_t count, size_t size) { return noted(__libc_calloc(count, size)); }

void *realloc(void *memory, size_t size) {
  void *result = __libc_realloc(memory, size);
  // A request of size 0 may return null.
  return size ? noted(result) : result;
}

void *memalign(size_t alignment, size_t size) { return noted(__libc_memalign(alignment, size)); }

void *aligned_alloc(size_t alignment, size_t size) { return noted(__libc_memalign(alignment, size)); }

void *valloc(size_t size) { return noted(__libc_valloc(size)); }

void *pvalloc(size_t size) { return noted(__libc_pvalloc(size)); }

int posix_memalign(void **memory, size_t alignment, size_t size) {
  if (alignment % sizeof(void *) || alignment & (alignment - 1) || !alignment) return EINVAL;
  void *result = noted(__libc_memalign(alignment, size));
  if (!result) return ENOMEM;
  *memory = result;
  return 0;
}

// A thread needs a stack, which glibc maps itself: EAGAIN means that there is no memory for it.
int pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*start)(void *), void *argument) {
  static int (*real)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
  // Concurrent calls do no harm: both find the same function.
  if (!real) real = (__typeof__(real))dlsym(RTLD_NEXT, "pthread_create");
  if (!real) return EAGAIN;
  int result = real(thread, attributes, start, argument);
  if (result == EAGAIN) mediatool_note_failed_allocation();
  return result;
}
#endif
