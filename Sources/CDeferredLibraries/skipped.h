// Libraries that libvips and FFmpeg ask for and that nothing here calls, or that few files need.
#ifndef MEDIATOOL_SKIPPED_H
#define MEDIATOOL_SKIPPED_H

#include <stdbool.h>
#include <stddef.h>

enum { MEDIATOOL_SKIPPED_MAXIMUM = 64 };

typedef struct {
  char *name;
  // Whether every worker skips it, or only workers that do not load everything.
  bool always;
} mediatool_skipped_name;

// What was loaded instead of them, and the names of those that this process skips or would skip with `with_rare`.
typedef struct {
  void *handles[MEDIATOOL_SKIPPED_MAXIMUM];
  size_t count;
  mediatool_skipped_name names[MEDIATOOL_SKIPPED_MAXIMUM];
  size_t name_count;
} mediatool_skipped;

// Loads placeholders for libraries that the shared objects of these file names need: those that are never called, and also those that few files need.
mediatool_skipped mediatool_skip(const char *const *consumers, size_t count, bool with_rare);

// Unloads the placeholders, if no library uses them, and frees the names.
void mediatool_unload_placeholders(mediatool_skipped *skipped);

// Adds the names to those of mediatool_skipped_library, which owns them from now on.
void mediatool_list_skipped(mediatool_skipped *skipped);

// Reports that a library cannot be loaded, and ends the process.
_Noreturn void mediatool_fail_to_load(const char *what);

#endif
