#include <stdlib.h>
#include <string.h>

#include "deferred_libraries.h"
#include "skipped.h"

// Of libvips and of FFmpeg. A process that skips loads them one after the other, before it does anything else.
static mediatool_skipped_name list[2 * MEDIATOOL_SKIPPED_MAXIMUM];
static size_t length;

static bool is_listed(const char *name) {
  for (size_t number = 0; number < length; number++)
    if (strcmp(list[number].name, name) == 0) return true;
  return false;
}

void mediatool_list_skipped(mediatool_skipped *skipped) {
  for (size_t number = 0; number < skipped->name_count; number++) {
    const mediatool_skipped_name entry = skipped->names[number];
    if (length == sizeof list / sizeof *list || is_listed(entry.name)) free(entry.name);
    else list[length++] = entry;
  }
  skipped->name_count = 0;
}

const char *mediatool_skipped_library(size_t number, bool *always) {
  if (number >= length) return NULL;
  *always = list[number].always;
  return list[number].name;
}
