#include "transcode_amr.h"

#include <dlfcn.h>
#include <pthread.h>

// The functions of libopencore-amrnb (opencore-amrnb/interf_enc.h), loaded when needed: Debian's libavcodec is built
// without them, and the package is small and optional.
static struct {
  void *(*open)(int dtx);
  int (*encode)(void *state, int mode, const short *speech, unsigned char *out, int force_speech);
  void (*close)(void *state);
} library;
static bool is_found;

static void find(void) {
  void *handle = dlopen("libopencore-amrnb.so.0", RTLD_NOW | RTLD_LOCAL);
  if (!handle) return;
  *(void **)&library.open = dlsym(handle, "Encoder_Interface_init");
  *(void **)&library.encode = dlsym(handle, "Encoder_Interface_Encode");
  *(void **)&library.close = dlsym(handle, "Encoder_Interface_exit");
  is_found = library.open && library.encode && library.close;
}

bool amr_is_available(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, find);
  return is_found;
}

// Without discontinuous transmission (DTX): receivers need no comfort noise, and all frames have the same length.
void *amr_open(void) { return amr_is_available() ? library.open(0) : NULL; }

void amr_close(void *encoder) {
  if (encoder) library.close(encoder);
}

int amr_encode(void *encoder, int64_t bit_rate, const int16_t *samples, uint8_t *bytes) {
  // 3GPP TS 26.071: modes 0 to 7.
  static const int64_t rates[] = {4750, 5150, 5900, 6700, 7400, 7950, 10200, 12200};
  int mode = 0;
  for (int i = 0; i < 8; i++)
    if (rates[i] <= bit_rate) mode = i;
  return library.encode(encoder, mode, samples, bytes, 0);
}
