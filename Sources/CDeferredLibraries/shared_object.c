#include "shared_object.h"

#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

// Where an address of the loaded object is in its file: `length` bytes there, or NULL.
static const void *at(const mediatool_shared_object *object, ElfW(Addr) address, size_t length) {
  const ElfW(Ehdr) *header = (const void *)object->bytes;
  const ElfW(Phdr) *segments = (const void *)(object->bytes + header->e_phoff);
  for (size_t number = 0; number < header->e_phnum; number++) {
    const ElfW(Phdr) *segment = &segments[number];
    if (segment->p_type != PT_LOAD || address < segment->p_vaddr) continue;
    size_t inside = address - segment->p_vaddr;
    if (inside >= segment->p_filesz || segment->p_filesz - inside < length) continue;
    if (segment->p_offset > object->size || object->size - segment->p_offset < inside + length) return NULL;
    return object->bytes + segment->p_offset + inside;
  }
  return NULL;
}

static bool has_segments(const mediatool_shared_object *object) {
  const ElfW(Ehdr) *header = (const void *)object->bytes;
  const unsigned char class = sizeof(void *) == 8 ? ELFCLASS64 : ELFCLASS32;
  return object->size >= sizeof *header && memcmp(header->e_ident, ELFMAG, SELFMAG) == 0
    && header->e_ident[EI_CLASS] == class && header->e_type == ET_DYN && header->e_phentsize == sizeof(ElfW(Phdr))
    && header->e_phoff % sizeof(void *) == 0 && header->e_phoff <= object->size
    && (object->size - header->e_phoff) / sizeof(ElfW(Phdr)) >= header->e_phnum;
}

static bool find_dynamic(mediatool_shared_object *object) {
  const ElfW(Ehdr) *header = (const void *)object->bytes;
  const ElfW(Phdr) *segments = (const void *)(object->bytes + header->e_phoff);
  for (size_t number = 0; number < header->e_phnum; number++) {
    if (segments[number].p_type != PT_DYNAMIC) continue;
    object->dynamic = at(object, segments[number].p_vaddr, segments[number].p_filesz);
    object->entries = segments[number].p_filesz / sizeof(ElfW(Dyn));
  }
  return object->dynamic;
}

static bool find_tables(mediatool_shared_object *object) {
  ElfW(Addr) names = 0, symbols = 0, hash = 0;
  for (size_t number = 0; number < object->entries; number++) {
    const ElfW(Dyn) *entry = &object->dynamic[number];
    switch (entry->d_tag) {
    case DT_STRTAB: names = entry->d_un.d_ptr; break;
    case DT_STRSZ: object->names_size = entry->d_un.d_val; break;
    case DT_SYMTAB: symbols = entry->d_un.d_ptr; break;
    case DT_GNU_HASH: hash = entry->d_un.d_ptr; break;
    default: break;
    }
  }
  if (!names || !symbols || !hash || object->names_size == 0) return false;
  object->names = at(object, names, object->names_size);
  object->hash = at(object, hash, 4 * sizeof(uint32_t));
  if (!object->names || !object->hash || object->names[object->names_size - 1] != 0) return false;
  object->undefined = object->hash[1];
  object->symbols = at(object, symbols, object->undefined * sizeof(ElfW(Sym)));
  return object->undefined > 0 && object->symbols;
}

bool mediatool_shared_object_open(const char *path, mediatool_shared_object *object) {
  *object = (mediatool_shared_object){0};
  int file = open(path, O_RDONLY | O_CLOEXEC);
  if (file < 0) return false;
  struct stat facts;
  void *bytes = MAP_FAILED;
  if (fstat(file, &facts) == 0 && S_ISREG(facts.st_mode) && facts.st_size > 0)
    bytes = mmap(NULL, (size_t)facts.st_size, PROT_READ, MAP_PRIVATE, file, 0);
  close(file);
  if (bytes == MAP_FAILED) return false;
  object->bytes = bytes;
  object->size = (size_t)facts.st_size;
  if (has_segments(object) && find_dynamic(object) && find_tables(object)) return true;
  mediatool_shared_object_close(object);
  return false;
}

void mediatool_shared_object_close(mediatool_shared_object *object) {
  munmap((void *)(uintptr_t)object->bytes, object->size);
}

const char *mediatool_shared_object_name(const mediatool_shared_object *object, size_t offset) {
  return offset < object->names_size ? object->names + offset : "";
}

// https://sourceware.org/gnu-gabi/program-loading-and-dynamic-linking.txt, "DT_GNU_HASH"
static uint32_t hash_of(const char *name) {
  uint32_t hash = 5381;
  for (; *name; name++) hash = hash * 33 + (unsigned char)*name;
  return hash;
}

const ElfW(Sym) *mediatool_shared_object_definition(const mediatool_shared_object *object, const char *name) {
  const uint32_t buckets = object->hash[0], first = object->hash[1], words = object->hash[2], shift = object->hash[3];
  const size_t bits = 8 * sizeof(ElfW(Addr));
  const ElfW(Addr) *filter = (const void *)(object->hash + 4);
  const uint32_t *bucket = (const void *)(filter + words), *chain = bucket + buckets;
  const unsigned char *end = object->bytes + object->size;
  if (buckets == 0 || words == 0 || shift > 31 || (const unsigned char *)chain > end || chain < object->hash) return NULL;
  const uint32_t hash = hash_of(name);
  const ElfW(Addr) word = filter[hash / bits % words];
  if (!(word >> hash % bits & word >> (hash >> shift) % bits & 1)) return NULL;
  for (size_t number = bucket[hash % buckets]; number >= first; number++) {
    const uint32_t *link = chain + (number - first);
    const ElfW(Sym) *symbol = object->symbols + number;
    if ((const unsigned char *)(link + 1) > end || (const unsigned char *)(symbol + 1) > end) return NULL;
    if ((*link | 1) == (hash | 1) && strcmp(mediatool_shared_object_name(object, symbol->st_name), name) == 0)
      return symbol->st_shndx == SHN_UNDEF ? NULL : symbol;
    if (*link & 1) return NULL;
  }
  return NULL;
}
