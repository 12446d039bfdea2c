#include <stdlib.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif

#include "mediatool_engine.h"

void mediatool_map_large_blocks(void) {
#ifdef __GLIBC__
  mallopt(M_MMAP_THRESHOLD, 1 << 20);
  // Fixing the one fixes the other, at 128 KiB, with which the heap would shrink and grow all the time.
  mallopt(M_TRIM_THRESHOLD, 16 << 20);
#endif
}

void mediatool_trim_allocator(void) {
#ifdef __GLIBC__
  malloc_trim(0);
#endif
}
