#define _GNU_SOURCE
#include "mediatool_spool.h"

#include <sys/mman.h>

int mediatool_memory_file(void) { return memfd_create("mediatool", MFD_CLOEXEC); }
