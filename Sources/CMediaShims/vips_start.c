#include <pthread.h>
#include <string.h>

#include "mediatool_vips.h"
#include "vips_error.h"
#include "vips_vectors.h"

static pthread_once_t once = PTHREAD_ONCE_INIT;
static int started = -1;
static mediatool_vips_error start_error;

void mediatool_vips_take_error(mediatool_vips_error *error) {
  // The buffer also contains messages of other threads and of successful operations; the last line is the most likely
  // cause.
  char *text = vips_error_buffer_copy();
  g_strchomp(text);
  const char *last = strrchr(text, '\n');
  g_strlcpy(error->text, last ? last + 1 : text, sizeof error->text);
  g_free(text);
}

// libvips also reports damaged files as GLib warnings; an untrusted file must not cause output on a server's standard
// error.
static void discard_log(const gchar *domain, GLogLevelFlags level, const gchar *message, gpointer data) {
  (void)domain, (void)level, (void)message, (void)data;
}

static void start(void) {
  g_log_set_handler("VIPS", G_LOG_LEVEL_MASK, discard_log, NULL);
  g_log_set_handler("Poppler", G_LOG_LEVEL_MASK, discard_log, NULL);
  if (mediatool_vips_init_without_modules()) {
    mediatool_vips_take_error(&start_error);
    return;
  }
  mediatool_vips_lock_vectors();
  vips_concurrency_set(1);
  vips_cache_set_max(0);
  vips_block_untrusted_set(TRUE);
  // Allowed although libvips marks them as untrusted: SVG and JPEG 2000, and JPEG XL and PDF. The latter may be
  // loaded already; otherwise they are unblocked when they are opened.
  vips_operation_block_set("VipsForeignLoadSvg", FALSE);
  vips_operation_block_set("VipsForeignLoadJxl", FALSE);
  vips_operation_block_set("VipsForeignLoadJp2k", FALSE);
  vips_operation_block_set("VipsForeignLoadPdf", FALSE);
  started = 0;
}

int mediatool_vips_start(mediatool_vips_error *error) {
  pthread_once(&once, start);
  if (started != 0) *error = start_error;
  return started;
}
