// Private to the shims: takes the text out of libvips' error buffer and clears it.
#ifndef MEDIATOOL_VIPS_ERROR_H
#define MEDIATOOL_VIPS_ERROR_H

#include "mediatool_vips.h"

void mediatool_vips_take_error(mediatool_vips_error *error);

// The value of a libvips call, with the error taken when there is one.
static inline int mediatool_vips_check(int result, mediatool_vips_error *error) {
  if (result) mediatool_vips_take_error(error);
  return result ? -1 : 0;
}

#endif
