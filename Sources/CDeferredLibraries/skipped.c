#define _GNU_SOURCE
#include "skipped.h"

#include <dlfcn.h>
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "deferred_libraries.h"
#include "placeholder.h"
#include "shared_object.h"

// How their names begin. What a demuxer, decoder or loader that we allow may call is not listed; Demuxers.swift and vips_start.c have these.
static const char *const unused[] = {
  // libvips: FITS, MATLAB and OpenEXR, which libvips itself calls untrusted and which are blocked.
  "libcfitsio.so", "libmatio.so", "libOpenEXR-",
  // libavformat: network protocols, discs and fingerprints. Not libgme and libopenmpt: a raw stream in a program stream is shown to every demuxer.
  "libbluray.so", "libchromaprint.so", "libgnutls.so", "librabbitmq.so", "librist.so", "libsrt-gnutls.so", "libsrt.so",
  "libssh-gcrypt.so", "libssh.so", "libzmq.so",
  // libavcodec: encoders that are not used, and decoders that are not allowed.
  "libcodec2.so", "libgsm.so", "libmp3lame.so", "librav1e.so", "libshine.so", "libsnappy.so", "libSvtAv1Enc.so",
  "libtheora", "libtwolame.so", "libxvidcore.so", "libzvbi.so",
  // libavutil: graphics cards.
  "libdrm.so", "libmfx.so", "libOpenCL.so", "libva-drm.so", "libva-x11.so", "libva.so", "libvdpau.so", "libvpl.so",
  // libswresample: another resampler.
  "libsoxr.so",
  NULL,
};

// What photos and videos do not need: drawing of SVG and text, JPEG 2000, and FFmpeg's JPEG XL.
static const char *const rare[] = {
  "libcairo.so", "libfontconfig.so", "libjxl", "libopenjp2.so", "libpango", "librsvg-", NULL,
};

enum { SYMBOLS_MAXIMUM = 1024 };

// What is collected before anything is loaded.
typedef struct {
  mediatool_shared_object objects[MEDIATOOL_SKIPPED_MAXIMUM];
  const char *names[MEDIATOOL_SKIPPED_MAXIMUM];
  // Which consumers need it, a bit each.
  unsigned needed_by[MEDIATOOL_SKIPPED_MAXIMUM];
  size_t count;
  // The rare ones that this process loads.
  const char *kept[MEDIATOOL_SKIPPED_MAXIMUM];
  size_t kept_count;
  mediatool_placeholder_symbol symbols[SYMBOLS_MAXIMUM];
  size_t symbol_count;
} collection;

// At the address of every variable of a library that is skipped: none is ever read.
static const char nothing[4096];

// At the address of every function. Another process has to do what would need it.
static void called(void) {
  mediatool_will_load();
  mediatool_fail_to_load("a function of a library that this worker does not load was called");
}

static bool begins(const char *name, const char *const *beginnings) {
  for (; *beginnings; beginnings++)
    if (strncmp(name, *beginnings, strlen(*beginnings)) == 0) return true;
  return false;
}

// Whether the real library is loaded. A placeholder that was loaded for another consumer lacks what this one needs.
static bool is_loaded(const char *name) {
  void *handle = dlopen(name, RTLD_LAZY | RTLD_NOLOAD);
  if (!handle) return false;
  struct link_map *map = NULL;
  const bool is_placeholder = dlinfo(handle, RTLD_DI_LINKMAP, &map) == 0 && strncmp(map->l_name, "/proc/self/fd", 13) == 0;
  dlclose(handle);
  return !is_placeholder;
}

// The folder of the machine's libraries: that of GLib, which is loaded; false if it is not known. Only glibc is known to take a loaded object for
// the library that is asked for.
//
// A worker has no environment, so LD_LIBRARY_PATH names no other folder. Of a library that is not in this folder nothing is skipped. If the linker
// finds one of the same name elsewhere first, the placeholders may lack symbols that it needs: then it cannot be loaded, or calls what is not there
// (status 127). Either way the job is done with all libraries.
static bool find_folder(char *folder, size_t size) {
#ifndef __GLIBC__
  return false;
#endif
  Dl_info glib;
  void *function = dlsym(RTLD_DEFAULT, "g_free");
  if (!function || !dladdr(function, &glib) || !glib.dli_fname) return false;
  const char *end = strrchr(glib.dli_fname, '/');
  return end && (size_t)snprintf(folder, size, "%.*s", (int)(end - glib.dli_fname), glib.dli_fname) < size;
}

static bool open_in(const char *folder, const char *name, mediatool_shared_object *object) {
  char path[PATH_MAX];
  return (size_t)snprintf(path, sizeof path, "%s/%s", folder, name) < sizeof path
    && mediatool_shared_object_open(path, object);
}

// The number of a library; the count if it is not there yet.
static size_t find(const collection *all, const char *name) {
  size_t number = 0;
  while (number < all->count && strcmp(all->names[number], name) != 0) number++;
  return number;
}

// Adds the libraries that a consumer needs and that may be skipped.
static void add_libraries(
  collection *all, const mediatool_shared_object *consumer, unsigned bit, const char *folder, bool with_rare) {
  for (size_t entry = 0; entry < consumer->entries && consumer->dynamic[entry].d_tag != DT_NULL; entry++) {
    if (consumer->dynamic[entry].d_tag != DT_NEEDED) continue;
    const char *name = mediatool_shared_object_name(consumer, consumer->dynamic[entry].d_un.d_val);
    const bool is_rare = begins(name, rare);
    if (!is_rare && !begins(name, unused)) continue;
    if (is_rare && !with_rare) {
      if (all->kept_count < MEDIATOOL_SKIPPED_MAXIMUM) all->kept[all->kept_count++] = name;
      continue;
    }
    const size_t number = find(all, name);
    if (number == all->count) {
      // The last handle is that of the symbols.
      if (number == MEDIATOOL_SKIPPED_MAXIMUM - 1 || is_loaded(name)) continue;
      if (!open_in(folder, name, &all->objects[number])) continue;
      all->names[all->count++] = name;
    }
    all->needed_by[number] |= bit;
  }
}

// Adds the symbols that a consumer takes from them. False if one of them cannot be replaced.
static bool add_symbols(collection *all, const mediatool_shared_object *consumer, unsigned bit) {
  for (size_t number = 1; number < consumer->undefined; number++) {
    const char *name = mediatool_shared_object_name(consumer, consumer->symbols[number].st_name);
    const ElfW(Sym) *symbol = NULL;
    for (size_t object = 0; object < all->count && !symbol; object++)
      if (all->needed_by[object] & bit) symbol = mediatool_shared_object_definition(&all->objects[object], name);
    if (!symbol) continue;
    const unsigned char type = ELF64_ST_TYPE(symbol->st_info);
    const bool is_function = type == STT_FUNC || type == STT_GNU_IFUNC;
    if (all->symbol_count == SYMBOLS_MAXIMUM || (!is_function && (type != STT_OBJECT || symbol->st_size > sizeof nothing)))
      return false;
    all->symbols[all->symbol_count++] = (mediatool_placeholder_symbol){
      .name = name, .address = is_function ? (const void *)(uintptr_t)called : nothing, .is_function = is_function};
  }
  return true;
}

static bool load_placeholders(const collection *all, mediatool_skipped *result) {
  static unsigned number;
  char symbols[32];
  snprintf(symbols, sizeof symbols, "skipped-%u", number++);
  void *handle = mediatool_placeholder_load(symbols, NULL, all->symbols, all->symbol_count);
  if (!handle) return false;
  result->handles[result->count++] = handle;
  for (size_t library = 0; library < all->count; library++) {
    handle = mediatool_placeholder_load(all->names[library], symbols, NULL, 0);
    if (!handle) {
      mediatool_unload_placeholders(result);
      return false;
    }
    result->handles[result->count++] = handle;
  }
  return true;
}

static void add_name(mediatool_skipped *result, const char *name, bool always) {
  for (size_t number = 0; number < result->name_count; number++)
    if (strcmp(result->names[number].name, name) == 0) return;
  char *copy = result->name_count < MEDIATOOL_SKIPPED_MAXIMUM ? strdup(name) : NULL;
  if (copy) result->names[result->name_count++] = (mediatool_skipped_name){.name = copy, .always = always};
}

mediatool_skipped mediatool_skip(const char *const *consumers, size_t count, bool with_rare) {
  mediatool_skipped result = {.count = 0};
  char folder[PATH_MAX];
  mediatool_shared_object opened[8];
  collection *all = calloc(1, sizeof *all);
  if (!all || count > sizeof opened / sizeof *opened || !find_folder(folder, sizeof folder)) {
    free(all);
    return result;
  }
  size_t open = 0;
  while (open < count && open_in(folder, consumers[open], &opened[open])) open++;
  bool complete = open == count;
  for (size_t number = 0; complete && number < open; number++)
    add_libraries(all, &opened[number], 1u << number, folder, with_rare);
  for (size_t number = 0; complete && number < open; number++)
    complete = add_symbols(all, &opened[number], 1u << number);
  if (complete && all->count > 0 && load_placeholders(all, &result)) {
    for (size_t number = 0; number < all->count; number++)
      add_name(&result, all->names[number], !begins(all->names[number], rare));
    for (size_t number = 0; number < all->kept_count; number++) add_name(&result, all->kept[number], false);
  }
  for (size_t number = 0; number < all->count; number++) mediatool_shared_object_close(&all->objects[number]);
  for (size_t number = 0; number < open; number++) mediatool_shared_object_close(&opened[number]);
  free(all);
  return result;
}

void mediatool_unload_placeholders(mediatool_skipped *skipped) {
  while (skipped->count > 0) dlclose(skipped->handles[--skipped->count]);
  while (skipped->name_count > 0) free(skipped->names[--skipped->name_count].name);
}
