#define _GNU_SOURCE
#include "placeholder.h"

#include <dlfcn.h>
#include <elf.h>
#include <link.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#if defined(__x86_64__)
#define MACHINE EM_X86_64
#define PAGE 4096
#elif defined(__aarch64__)
#define MACHINE EM_AARCH64
// The largest pages that such a machine may have.
#define PAGE 65536
#else
#error "placeholder.c has no code for this architecture"
#endif

enum { SEGMENTS = 3, ENTRIES = 8 };

// Everything but the three tables whose length depends on the symbols: the symbols, DT_HASH and the names, in this order.
typedef struct {
  ElfW(Ehdr) header;
  ElfW(Phdr) segments[SEGMENTS];
  ElfW(Dyn) dynamic[ENTRIES];
} start;

// https://refspecs.linuxfoundation.org/elf/gabi4+/ch5.dynamic.html#hash
static uint32_t hash_of(const char *name) {
  uint32_t hash = 0;
  for (; *name; name++) {
    hash = (hash << 4) + (unsigned char)*name;
    hash = (hash ^ (hash >> 24 & 0xf0)) & 0x0fffffff;
  }
  return hash;
}

static size_t append(char *names, size_t *length, const char *name) {
  size_t offset = *length;
  strcpy(names + offset, name);
  *length += strlen(name) + 1;
  return offset;
}

static void fill_header(start *object, size_t size) {
  object->header = (ElfW(Ehdr)){
    .e_ident = {ELFMAG0, ELFMAG1, ELFMAG2, ELFMAG3, sizeof(void *) == 8 ? ELFCLASS64 : ELFCLASS32, ELFDATA2LSB, EV_CURRENT},
    .e_type = ET_DYN, .e_machine = MACHINE, .e_version = EV_CURRENT, .e_phoff = offsetof(start, segments),
    .e_ehsize = sizeof(ElfW(Ehdr)), .e_phentsize = sizeof(ElfW(Phdr)), .e_phnum = SEGMENTS};
  // Nothing is executable: functions are at addresses of this process. Without PT_GNU_STACK every stack would be.
  object->segments[0] = (ElfW(Phdr)){
    .p_type = PT_LOAD, .p_flags = PF_R | PF_W, .p_filesz = size, .p_memsz = size, .p_align = PAGE};
  object->segments[1] = (ElfW(Phdr)){
    .p_type = PT_DYNAMIC, .p_flags = PF_R | PF_W, .p_offset = offsetof(start, dynamic),
    .p_vaddr = offsetof(start, dynamic), .p_filesz = sizeof object->dynamic, .p_memsz = sizeof object->dynamic,
    .p_align = sizeof(void *)};
  object->segments[2] = (ElfW(Phdr)){.p_type = PT_GNU_STACK, .p_flags = PF_R | PF_W, .p_align = 16};
}

// Opens the bytes of an object under a name that no object had before: the linker knows loaded objects by the names that they were opened with,
// and numbers of files are used again.
static void *open_bytes(const void *bytes, size_t size) {
  static unsigned slashes;
  int file = memfd_create("placeholder", MFD_CLOEXEC);
  if (file < 0) return NULL;
  char path[256] = "/proc/self/fd";
  void *handle = NULL;
  if (write(file, bytes, size) == (ssize_t)size && slashes < sizeof path - 32) {
    size_t length = strlen(path);
    memset(path + length, '/', ++slashes);
    snprintf(path + length + slashes, 12, "%d", file);
    handle = dlopen(path, RTLD_LAZY | RTLD_GLOBAL);
  }
  close(file);
  return handle;
}

void *mediatool_placeholder_load(
  const char *name, const char *needed, const mediatool_placeholder_symbol *symbols, size_t count) {
  size_t names_size = 1 + strlen(name) + 1 + (needed ? strlen(needed) + 1 : 0);
  for (size_t number = 0; number < count; number++) names_size += strlen(symbols[number].name) + 1;
  const size_t symbols_at = (sizeof(start) + 15) & ~(size_t)15, hash_at = symbols_at + (count + 1) * sizeof(ElfW(Sym));
  // Two counts, then a bucket and a link for each symbol.
  const size_t names_at = hash_at + (2 + 2 * (count + 1)) * sizeof(uint32_t), size = names_at + names_size;
  start *object = calloc(1, size);
  if (!object) return NULL;
  char *bytes = (char *)object, *names = bytes + names_at;
  ElfW(Sym) *table = (void *)(bytes + symbols_at);
  uint32_t *hash = (void *)(bytes + hash_at), *buckets = hash + 2, *links = buckets + count + 1;
  hash[0] = hash[1] = (uint32_t)(count + 1);
  size_t length = 1;
  for (size_t number = 1; number <= count; number++) {
    const mediatool_placeholder_symbol *symbol = &symbols[number - 1];
    // An absolute symbol is not moved with the object.
    table[number] = (ElfW(Sym)){
      .st_name = (uint32_t)append(names, &length, symbol->name),
      .st_info = ELF64_ST_INFO(STB_GLOBAL, symbol->is_function ? STT_FUNC : STT_OBJECT), .st_shndx = SHN_ABS,
      .st_value = (ElfW(Addr))(uintptr_t)symbol->address};
    uint32_t *bucket = &buckets[hash_of(symbol->name) % hash[0]];
    links[number] = *bucket;
    *bucket = (uint32_t)number;
  }
  size_t entry = 0;
#define ADD(tag, value) object->dynamic[entry++] = (ElfW(Dyn)){.d_tag = tag, .d_un.d_val = value}
  ADD(DT_SONAME, append(names, &length, name));
  if (needed) ADD(DT_NEEDED, append(names, &length, needed));
  ADD(DT_HASH, hash_at);
  ADD(DT_STRTAB, names_at);
  ADD(DT_SYMTAB, symbols_at);
  ADD(DT_STRSZ, names_size);
  ADD(DT_SYMENT, sizeof(ElfW(Sym)));
#undef ADD
  fill_header(object, size);
  void *handle = open_bytes(object, size);
  free(object);
  return handle;
}
