#include <stdatomic.h>

#include "mediatool_vips.h"
#include "vips_error.h"

// libvips reports progress only when a tile of the *result* is done, and a thumbnail is a single tile: too late. So a step that
// changes nothing is put behind the decoder; each strip of pixels passes through it, and none once the deadline has passed.

// libvips hands the clock to threads of its own. That is ordered by its locks; the atomics say so to ThreadSanitizer too, which
// cannot see into libvips: what `end` releases the first look acquires, and what `looks` releases the end of the clock acquires.
struct mediatool_vips_clock {
  _Atomic gint64 end;  // g_get_monotonic_time, microseconds
  atomic_bool struck;
  atomic_uint looks;
};

mediatool_vips_clock *mediatool_vips_clock_new(int64_t nanoseconds_left) {
  mediatool_vips_clock *clock = g_new0(mediatool_vips_clock, 1);
  atomic_store_explicit(&clock->end, g_get_monotonic_time() + nanoseconds_left / 1000, memory_order_release);
  return clock;
}

void mediatool_vips_clock_free(mediatool_vips_clock *clock) {
  atomic_load_explicit(&clock->looks, memory_order_acquire);
  g_free(clock);
}

bool mediatool_vips_clock_struck(mediatool_vips_clock *clock) { return atomic_load(&clock->struck); }

static bool has_passed(mediatool_vips_clock *clock) {
  bool passed = g_get_monotonic_time() >= atomic_load_explicit(&clock->end, memory_order_acquire);
  if (passed) atomic_store(&clock->struck, true);
  atomic_fetch_add_explicit(&clock->looks, 1, memory_order_release);
  return passed;
}

static int pass_on(VipsRegion *out, void *sequence, void *image, void *data, gboolean *stop) {
  (void)image, (void)stop;
  if (has_passed(data)) return -1;
  VipsRegion *in = sequence;
  VipsRect *r = &out->valid;
  // The pixels are lent, not copied.
  return vips_region_prepare(in, r) || vips_region_region(out, in, r, r->left, r->top);
}

int mediatool_vips_guard(
  VipsImage *in, mediatool_vips_clock *clock, VipsImage **out, mediatool_vips_error *error) {
  *out = vips_image_new();
  int result = vips_image_pipelinev(*out, VIPS_DEMAND_STYLE_THINSTRIP, in, NULL) ||
               vips_image_generate(*out, vips_start_one, pass_on, vips_stop_one, in, clock);
  // The step needs its input for as long as it lives.
  if (!result) vips_object_local(*out, in);
  if (!result) g_object_ref(in);
  if (result) VIPS_UNREF(*out);
  return mediatool_vips_check(result, error);
}
