#define _GNU_SOURCE
#include <dlfcn.h>
#include <pthread.h>
#include <vips/vips.h>
// After vips.h, whose macros it uses.
#include <vips/vector.h>

#include "mediatool_vips.h"
#include "vips_vectors.h"

// libvips up to 8.14 compiles its inner loops with Orc, and Orc up to 0.4.33 frees the memory of such a loop without
// a lock. If two threads release an image at the same time, they corrupt its free list: the process crashes, or one
// loop overwrites another. So these two calls of libvips, compile and free, are serialised here. A symbol defined in
// a program takes precedence over that of a library, for callers in other libraries too. If Orc has a lock, this has
// no effect.
//
// Measured with 20,000 loops compiled and freed on four threads: SIGSEGV in 3 of 3 runs without the lock, none with it.
// Compiling a loop takes about 0.1 ms. Without Orc (vips_vector_set_enabled) images take longer and differ in the last
// bits from those of a worker, which makes one image at a time and needs no lock. Remove this file when Orc 0.4.34 or
// libvips 8.15 is the oldest supported version.

static pthread_mutex_t one_at_a_time = PTHREAD_MUTEX_INITIALIZER;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static int (*compile)(void *program);
static void (*release)(void *program);

static void look_up(void) {
  compile = (int (*)(void *))dlsym(RTLD_NEXT, "orc_program_compile");
  release = (void (*)(void *))dlsym(RTLD_NEXT, "orc_program_free");
}

int orc_program_compile(void *program) {
  // The result for a processor that Orc does not support: libvips then uses its loops in C.
  static const int unknown_compile = 0x100;
  pthread_once(&once, look_up);
  if (!compile) return unknown_compile;
  pthread_mutex_lock(&one_at_a_time);
  int result = compile(program);
  pthread_mutex_unlock(&one_at_a_time);
  return result;
}

void orc_program_free(void *program) {
  pthread_once(&once, look_up);
  if (!release) return;
  pthread_mutex_lock(&one_at_a_time);
  release(program);
  pthread_mutex_unlock(&one_at_a_time);
}

int mediatool_vips_vectors_locked(void) {
  return dlsym(RTLD_DEFAULT, "orc_program_compile") == (void *)orc_program_compile &&
         dlsym(RTLD_DEFAULT, "orc_program_free") == (void *)orc_program_free;
}

void mediatool_vips_lock_vectors(void) {
  pthread_once(&once, look_up);
  // Orc is not loaded: libvips 8.15 or later uses Highway, which generates no code at run time.
  if (!compile) return;
  // If this library was opened later, its symbols do not take precedence. The loops in C are slower but safe.
  if (!mediatool_vips_vectors_locked()) vips_vector_set_enabled(FALSE);
}
