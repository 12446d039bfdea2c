// Private to the shims: libvips' loops that are made at run time, safe on several threads.
#ifndef MEDIATOOL_VIPS_VECTORS_H
#define MEDIATOOL_VIPS_VECTORS_H

// Only for mediatool_vips_start, after vips_init.
void mediatool_vips_lock_vectors(void);

#endif
