// What the dynamic linker would read of a shared object, read from its file: what it needs, what it lacks, and what it defines.
#ifndef MEDIATOOL_SHARED_OBJECT_H
#define MEDIATOOL_SHARED_OBJECT_H

#include <link.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct {
  const unsigned char *bytes;
  size_t size;
  const ElfW(Dyn) *dynamic;
  size_t entries;
  const char *names;
  size_t names_size;
  // Undefined symbols come first: `undefined` of them, after an empty one.
  const ElfW(Sym) *symbols;
  size_t undefined;
  // DT_GNU_HASH.
  const uint32_t *hash;
} mediatool_shared_object;

// Maps a file. False if it is no shared object of this machine with a GNU hash table; then there is nothing to close.
bool mediatool_shared_object_open(const char *path, mediatool_shared_object *object);
void mediatool_shared_object_close(mediatool_shared_object *object);

// The name at an offset of the string table; "" if there is none.
const char *mediatool_shared_object_name(const mediatool_shared_object *object, size_t offset);

// The symbol that the object defines under this name, of any version; NULL if it defines none.
const ElfW(Sym) *mediatool_shared_object_definition(const mediatool_shared_object *object, const char *name);

#endif
