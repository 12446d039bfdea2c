#define _GNU_SOURCE
#include <link.h>
#include <stddef.h>

#include "deferred_libraries.h"

typedef struct {
  void (*body)(const char *path, void *context);
  void *context;
} mediatool_listing;

static int list(struct dl_phdr_info *object, size_t size, void *listing) {
  (void)size;
  const mediatool_listing *to = listing;
  // The program has an empty name, and the kernel's own object one without a slash.
  if (object->dlpi_name && object->dlpi_name[0] == '/') to->body(object->dlpi_name, to->context);
  return 0;
}

void mediatool_list_loaded_libraries(void (*body)(const char *path, void *context), void *context) {
  mediatool_listing listing = {.body = body, .context = context};
  dl_iterate_phdr(list, &listing);
}
