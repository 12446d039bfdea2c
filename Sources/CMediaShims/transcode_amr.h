// Private to the shims: libopencore-amrnb.
#ifndef MEDIATOOL_TRANSCODE_AMR_H
#define MEDIATOOL_TRANSCODE_AMR_H

#include <stdbool.h>
#include <stdint.h>

// Encodes one frame of 160 samples. `bit_rate`: the nearest of the eight AMR rates is used.
bool amr_is_available(void);
void *amr_open(void);
void amr_close(void *encoder);
int amr_encode(void *encoder, int64_t bit_rate, const int16_t *samples, uint8_t *bytes);
enum { amr_rate = 8000, amr_frame = 160, amr_max_bytes = 32 };

#endif
