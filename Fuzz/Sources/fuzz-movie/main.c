#include <stddef.h>
#include <stdint.h>

void mediatool_fuzz_movie(const uint8_t *bytes, ptrdiff_t count);

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count) {
  mediatool_fuzz_movie(bytes, (ptrdiff_t)count);
  return 0;
}
