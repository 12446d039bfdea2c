#include <dlfcn.h>
#include <libavcodec/version_major.h>
#include <libavformat/version_major.h>
#include <libavutil/version.h>
#include <libswresample/version_major.h>
#include <libswscale/version_major.h>
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <unistd.h>
#include <vips/version.h>

#include "deferred_libraries.h"
#include "skipped.h"

#define TEXT(number) #number
#define MAJOR(number) TEXT(number)

enum {
#define IMAGE_FUNCTION(name) number_##name,
#define MEDIA_FUNCTION(name)
#include "functions.h"
#undef IMAGE_FUNCTION
#undef MEDIA_FUNCTION
  IMAGE_FUNCTIONS
};

static const char *const names[] = {
#define IMAGE_FUNCTION(name) #name,
#define MEDIA_FUNCTION(name) #name,
#include "functions.h"
};
enum { FUNCTIONS = sizeof names / sizeof *names };

// The addresses that the entries jump to.
extern void *mediatool_slots[];

// The status to exit with instead of loading; negative for none.
static int exit_status = -1;

void mediatool_exit_instead_of_loading(int status) { exit_status = status; }

void mediatool_will_load(void) {
  if (exit_status >= 0) _exit(exit_status);
}

// Who else is informed of a failure; NULL for nobody.
static void (*report_failure)(const char *what);

void mediatool_report_load_failure(void (*report)(const char *what)) { report_failure = report; }

_Noreturn void mediatool_fail_to_load(const char *what) {
  if (!what) what = "dlopen gave no reason";
  fprintf(stderr, "mediatool: cannot load a library: %s\n", what);
  if (report_failure) report_failure(what);
  // EX_SOFTWARE
  _exit(70);
}

static bool skips_libraries, skips_rare;

void mediatool_skip_libraries(bool with_rare) {
  skips_libraries = true;
  skips_rare = with_rare;
}

// Global, because libvips' modules and our own code look for functions of the libraries that it brings. The name of the one that could not be
// loaded, or NULL.
static const char *load(const char *const *libraries, size_t count) {
  for (size_t number = 0; number < count; number++)
    if (!dlopen(libraries[number], RTLD_LAZY | RTLD_GLOBAL)) return libraries[number];
  return NULL;
}

static void load_skipping(const char *const *libraries, size_t count) {
  mediatool_skipped skipped = {.count = 0};
  if (skips_libraries) skipped = mediatool_skip(libraries, count, skips_rare);
  const char *failed = load(libraries, count);
  if (failed && skipped.count > 0) {
    // A library that needs more than was foreseen; it says so when it is loaded, before anything has run.
    mediatool_unload_placeholders(&skipped);
    failed = load(libraries, count);
  }
  if (failed) mediatool_fail_to_load(dlerror());
  mediatool_list_skipped(&skipped);
}

static void fill(const char *const *libraries, size_t count, size_t begin, size_t end) {
  mediatool_will_load();
  load_skipping(libraries, count);
  for (size_t number = begin; number < end; number++) {
    void *address = dlsym(RTLD_DEFAULT, names[number]);
    if (!address) mediatool_fail_to_load(names[number]);
    __atomic_store_n(&mediatool_slots[number], address, __ATOMIC_RELEASE);
  }
}

static void fill_images(void) {
  char name[32];
  snprintf(name, sizeof name, "libvips.so.%d", VIPS_LIBRARY_CURRENT - VIPS_LIBRARY_AGE);
  const char *const libraries[] = {name};
  fill(libraries, 1, 0, IMAGE_FUNCTIONS);
}

static void fill_media(void) {
  static const char *const libraries[] = {
    "libavformat.so." MAJOR(LIBAVFORMAT_VERSION_MAJOR), "libavcodec.so." MAJOR(LIBAVCODEC_VERSION_MAJOR),
    "libswscale.so." MAJOR(LIBSWSCALE_VERSION_MAJOR), "libswresample.so." MAJOR(LIBSWRESAMPLE_VERSION_MAJOR),
    "libavutil.so." MAJOR(LIBAVUTIL_VERSION_MAJOR),
  };
  fill(libraries, sizeof libraries / sizeof *libraries, IMAGE_FUNCTIONS, FUNCTIONS);
}

// Loads the library of a slot, and returns the address of the slot's function. Called by the entries.
__attribute__((visibility("hidden"))) void *mediatool_load_function(void **slot) {
  static pthread_once_t images = PTHREAD_ONCE_INIT, media = PTHREAD_ONCE_INIT;
  if (slot - mediatool_slots < IMAGE_FUNCTIONS) pthread_once(&images, fill_images);
  else pthread_once(&media, fill_media);
  return __atomic_load_n(slot, __ATOMIC_ACQUIRE);
}
