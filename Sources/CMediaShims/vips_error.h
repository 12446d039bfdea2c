// Private to the shims: reads and clears the error buffer of libvips.
#ifndef MEDIATOOL_VIPS_ERROR_H
#define MEDIATOOL_VIPS_ERROR_H

#include "mediatool_vips.h"

void mediatool_vips_take_error(mediatool_vips_error *error);

// Returns the value of a libvips call; on failure reads the error text.
static inline int mediatool_vips_check(int result, mediatool_vips_error *error) {
  if (result) mediatool_vips_take_error(error);
  return result ? -1 : 0;
}

#endif
