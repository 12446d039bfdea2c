// Shared objects that are made in memory and loaded, so that the dynamic linker takes them for libraries that it is asked for.
#ifndef MEDIATOOL_PLACEHOLDER_H
#define MEDIATOOL_PLACEHOLDER_H

#include <stdbool.h>
#include <stddef.h>

typedef struct {
  const char *name;
  const void *address;
  bool is_function;
} mediatool_placeholder_symbol;

// Loads an object with this name (DT_SONAME), these symbols, and one other object that it needs (NULL for none).
//
// Its symbols have no versions, and the linker refuses a symbol without one in the very object that a versioned reference names. So the symbols
// belong into an object of another name, which the placeholder needs.
//
// Returns the handle of `dlopen`; NULL if it cannot be loaded.
void *mediatool_placeholder_load(
  const char *name, const char *needed, const mediatool_placeholder_symbol *symbols, size_t count);

#endif
