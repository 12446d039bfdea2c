// Private to the shims: makes run-time code generation of libvips safe on several threads.
#ifndef MEDIATOOL_VIPS_VECTORS_H
#define MEDIATOOL_VIPS_VECTORS_H

// Only for mediatool_vips_start, after vips_init.
void mediatool_vips_lock_vectors(void);

#endif
