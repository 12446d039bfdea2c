#include <stdatomic.h>

#include "mediatool_vips.h"
#include "vips_error.h"

// libvips reports progress only when a tile of the *result* is done, and a thumbnail is a single tile: too late. So
// an operation that changes nothing is inserted after the decoder. Each strip of pixels passes through it, and fails
// once the deadline has passed.

// libvips passes the deadline to its own threads, ordered by its locks. ThreadSanitizer cannot see these locks, so
// the atomics state the order: the first check acquires what `end` releases, and the end of the deadline acquires
// what `looks` releases.
struct mediatool_vips_deadline {
  _Atomic gint64 end;  // g_get_monotonic_time, microseconds
  atomic_bool has_stopped;
  atomic_uint looks;
};

mediatool_vips_deadline *mediatool_vips_deadline_new(int64_t nanoseconds_left) {
  mediatool_vips_deadline *deadline = g_new0(mediatool_vips_deadline, 1);
  atomic_store_explicit(&deadline->end, g_get_monotonic_time() + nanoseconds_left / 1000, memory_order_release);
  return deadline;
}

void mediatool_vips_deadline_free(mediatool_vips_deadline *deadline) {
  atomic_load_explicit(&deadline->looks, memory_order_acquire);
  g_free(deadline);
}

bool mediatool_vips_deadline_has_stopped(mediatool_vips_deadline *deadline) { return atomic_load(&deadline->has_stopped); }

static bool has_passed(mediatool_vips_deadline *deadline) {
  bool passed = g_get_monotonic_time() >= atomic_load_explicit(&deadline->end, memory_order_acquire);
  if (passed) atomic_store(&deadline->has_stopped, true);
  atomic_fetch_add_explicit(&deadline->looks, 1, memory_order_release);
  return passed;
}

static int pass_on(VipsRegion *out, void *sequence, void *image, void *data, gboolean *stop) {
  (void)image, (void)stop;
  if (has_passed(data)) return -1;
  VipsRegion *in = sequence;
  VipsRect *r = &out->valid;
  // The pixels are referenced, not copied.
  return vips_region_prepare(in, r) || vips_region_region(out, in, r, r->left, r->top);
}

int mediatool_vips_guard(
  VipsImage *in, mediatool_vips_deadline *deadline, VipsImage **out, mediatool_vips_error *error) {
  *out = vips_image_new();
  int result = vips_image_pipelinev(*out, VIPS_DEMAND_STYLE_THINSTRIP, in, NULL) ||
               vips_image_generate(*out, vips_start_one, pass_on, vips_stop_one, in, deadline);
  // The operation refers to its input during its whole lifetime.
  if (!result) vips_object_local(*out, in);
  if (!result) g_object_ref(in);
  if (result) VIPS_UNREF(*out);
  return mediatool_vips_check(result, error);
}
