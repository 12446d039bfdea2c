#include "mediatool_vips.h"
#include "vips_error.h"

// libvips reports progress only when a tile of the *result* is done, and a thumbnail is a single tile: too late. So a step that
// changes nothing is put behind the decoder; each strip of pixels passes through it, and none once the deadline has passed.

struct mediatool_vips_deadline {
  gint64 end;  // g_get_monotonic_time, microseconds
  gint has_stopped;
};

mediatool_vips_deadline *mediatool_vips_deadline_new(int64_t nanoseconds_left) {
  mediatool_vips_deadline *deadline = g_new0(mediatool_vips_deadline, 1);
  deadline->end = g_get_monotonic_time() + nanoseconds_left / 1000;
  return deadline;
}

void mediatool_vips_deadline_free(mediatool_vips_deadline *deadline) { g_free(deadline); }

bool mediatool_vips_deadline_has_stopped(mediatool_vips_deadline *deadline) {
  return g_atomic_int_get(&deadline->has_stopped) != 0;
}

static int pass_on(VipsRegion *out, void *sequence, void *image, void *data, gboolean *stop) {
  (void)image, (void)stop;
  mediatool_vips_deadline *deadline = data;
  if (g_get_monotonic_time() >= deadline->end) {
    g_atomic_int_set(&deadline->has_stopped, 1);
    return -1;
  }
  VipsRegion *in = sequence;
  VipsRect *r = &out->valid;
  // The pixels are lent, not copied.
  return vips_region_prepare(in, r) || vips_region_region(out, in, r, r->left, r->top);
}

int mediatool_vips_guard(
  VipsImage *in, mediatool_vips_deadline *deadline, VipsImage **out, mediatool_vips_error *error) {
  *out = vips_image_new();
  int result = vips_image_pipelinev(*out, VIPS_DEMAND_STYLE_THINSTRIP, in, NULL) ||
               vips_image_generate(*out, vips_start_one, pass_on, vips_stop_one, in, deadline);
  // The step needs its input for as long as it lives.
  if (!result) vips_object_local(*out, in);
  if (!result) g_object_ref(in);
  if (result) VIPS_UNREF(*out);
  return mediatool_vips_check(result, error);
}
