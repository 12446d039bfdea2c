#define _GNU_SOURCE

#include "mediatool_file.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

mediatool_memory mediatool_new_spool(void) {
  const mediatool_memory none = {-1, -1};
  const char *folder = getenv("TMPDIR");
  if (!folder || !*folder) folder = "/tmp";
  static const char name[] = "/mediatool-XXXXXX";
  size_t length = strlen(folder);
  char path[1024];
  if (length + sizeof name > sizeof path) return none;
  memcpy(path, folder, length);
  memcpy(path + length, name, sizeof name);
  int writing = mkostemp(path, O_CLOEXEC);
  if (writing < 0) return none;
  int reading = open(path, O_RDONLY | O_CLOEXEC);
  unlink(path);
  if (reading < 0) {
    close(writing);
    return none;
  }
  return (mediatool_memory){writing, reading};
}

#ifdef __linux__

#include <sys/mman.h>

mediatool_memory mediatool_new_memory(void) {
  int descriptor = memfd_create("mediatool", MFD_CLOEXEC | MFD_ALLOW_SEALING);
  return (mediatool_memory){descriptor, descriptor};
}

int mediatool_seal(mediatool_memory memory) {
  if (memory.writing != memory.reading) {
    close(memory.writing);
    return memory.reading;
  }
  // Fails only on a kernel without seals.
  (void)fcntl(memory.writing, F_ADD_SEALS, F_SEAL_SEAL | F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_WRITE);
  return memory.reading;
}

#else

mediatool_memory mediatool_new_memory(void) { return mediatool_new_spool(); }

int mediatool_seal(mediatool_memory memory) {
  close(memory.writing);
  return memory.reading;
}

#endif
