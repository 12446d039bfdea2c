// Our own non-variadic functions over the C libraries. Every name begins with mediatool_, so that a grep finds each crossing.
#ifndef CMEDIASHIMS_H
#define CMEDIASHIMS_H

#include "mediatool_inflate.h"
#include "mediatool_input.h"

#endif
