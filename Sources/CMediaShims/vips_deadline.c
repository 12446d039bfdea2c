#include "mediatool_vips.h"
#include "vips_error.h"

// libvips reports progress only when a tile of the *result* is done, and a thumbnail is a single tile: too late. So a step that
// changes nothing is put behind the decoder; each strip of pixels passes through it, and none once the deadline has passed.

struct mediatool_vips_clock {
  gint64 end;  // g_get_monotonic_time, microseconds
  gint struck;
};

mediatool_vips_clock *mediatool_vips_clock_new(int64_t nanoseconds_left) {
  mediatool_vips_clock *clock = g_new0(mediatool_vips_clock, 1);
  clock->end = g_get_monotonic_time() + nanoseconds_left / 1000;
  return clock;
}

void mediatool_vips_clock_free(mediatool_vips_clock *clock) { g_free(clock); }

bool mediatool_vips_clock_struck(mediatool_vips_clock *clock) { return g_atomic_int_get(&clock->struck) != 0; }

static int pass_on(VipsRegion *out, void *sequence, void *image, void *data, gboolean *stop) {
  (void)image, (void)stop;
  mediatool_vips_clock *clock = data;
  if (g_get_monotonic_time() >= clock->end) {
    g_atomic_int_set(&clock->struck, 1);
    return -1;
  }
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
