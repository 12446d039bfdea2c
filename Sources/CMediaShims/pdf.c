// For pthread_mutex_clocklock.
#define _GNU_SOURCE 1

#include "mediatool_pdf.h"

#include <errno.h>
#include <pthread.h>
#include <time.h>

#include "mediatool_vips.h"

typedef struct {
  mediatool_input *input;  // NULL once the caller's input may be gone
  int64_t position;
  bool failed;
  bool opened;  // Poppler has found a page in it
} reader;

// Only recent versions of Poppler guarantee that each thread can use its own document; fonts and parameters are
// shared between documents.
static pthread_mutex_t poppler = PTHREAD_MUTEX_INITIALIZER;

// Waits for the lock on Poppler, at most until the deadline: a page that takes long must not delay others beyond
// theirs.
static bool enter_poppler(mediatool_input *input) {
  for (;;) {
    struct timespec moment;
    clock_gettime(CLOCK_MONOTONIC, &moment);
    moment.tv_nsec += 20000000;
    if (moment.tv_nsec >= 1000000000) moment.tv_sec++, moment.tv_nsec -= 1000000000;
    int result = pthread_mutex_clocklock(&poppler, CLOCK_MONOTONIC, &moment);
    if (result == 0) return true;
    if (result != ETIMEDOUT || mediatool_input_timed_out(input)) return false;
  }
}

static gint64 read_source(VipsSourceCustom *source, void *buffer, gint64 length, reader *r) {
  (void)source;
  if (!r->input || length < 0) return -1;
  int64_t n = mediatool_input_read(r->input, r->position, buffer, (size_t)length);
  if (n < 0) r->failed = true;
  if (n > 0) r->position += n;
  return n;
}

static gint64 seek_source(VipsSourceCustom *source, gint64 offset, int whence, reader *r) {
  (void)source;
  if (!r->input) return -1;
  int64_t size = mediatool_input_size(r->input);
  int64_t base = whence == SEEK_SET ? 0 : whence == SEEK_CUR ? r->position : size;
  int64_t target;
  if (__builtin_add_overflow(base, offset, &target) || target < 0) return -1;
  return r->position = target;
}

static void discard_log(const gchar *domain, GLogLevelFlags level, const gchar *message, gpointer data) {
  (void)domain, (void)level, (void)message, (void)data;
}

// Loads the header of the first page at this scale; libvips renders only when pixels are requested. A page without a
// size, or with one that is too large for an image, gets a side of 1.
static int open_page(VipsSourceCustom *source, double scale, VipsImage **page) {
  reader *r = g_object_get_data(G_OBJECT(source), "mediatool-reader");
  // Both factors of libvips have limits, which an untrusted page may exceed.
  double factor = VIPS_CLIP(0.001, scale, 100000), dpi = 72 * (scale / factor);
  // The error buffer of libvips is limited, and nothing else clears it.
  vips_error_clear();
  int result = vips_pdfload_source(VIPS_SOURCE(source), page, "page", 0, "n", 1, "scale", factor, "dpi", dpi, NULL);
  if (!result) r->opened = true;
  return result;
}

// The error text of libvips is not read, because all threads share it.
static mediatool_pdf_status reason(mediatool_input *input, const reader *r) {
  if (r->failed || mediatool_input_timed_out(input)) return MEDIATOOL_PDF_INPUT;
  return r->opened ? MEDIATOOL_PDF_CORRUPT : MEDIATOOL_PDF_CLOSED;
}

// An operation on the document while the lock on Poppler is held. Returns 0, or -1 on failure.
typedef int (*visitor)(VipsSourceCustom *source, void *data);

static mediatool_pdf_status visit(mediatool_input *input, visitor work, void *data) {
  mediatool_vips_error unused;
  if (mediatool_vips_start(&unused) != 0) return MEDIATOOL_PDF_UNSUPPORTED;
  mediatool_vips_need(MEDIATOOL_MODULE_POPPLER);
  mediatool_need_drawing();
  if (!vips_type_find("VipsForeignLoad", "pdfload_source")) return MEDIATOOL_PDF_UNSUPPORTED;
  if (!enter_poppler(input)) return MEDIATOOL_PDF_INPUT;
  reader *r = g_new0(reader, 1);
  r->input = input;
  VipsSourceCustom *source = vips_source_custom_new();
  g_object_set_data_full(G_OBJECT(source), "mediatool-reader", r, g_free);
  g_signal_connect(source, "read", G_CALLBACK(read_source), r);
  g_signal_connect(source, "seek", G_CALLBACK(seek_source), r);
  // For a page with an impossible size libvips sets an invalid width, which GObject logs to standard error. An
  // untrusted file must not cause output there.
  guint handler = g_log_set_handler("GLib-GObject", G_LOG_LEVEL_WARNING, discard_log, NULL);
  int error = work(source, data);
  g_log_remove_handler("GLib-GObject", handler);
  // If libvips cached the operation, it would keep the source with a pointer to an input that is freed soon.
  r->input = NULL;
  mediatool_pdf_status status = error ? reason(input, r) : MEDIATOOL_PDF_OK;
  // Poppler ignores what it cannot read, without an error.
  if (r->failed) status = MEDIATOOL_PDF_INPUT;
  g_object_unref(source);
  pthread_mutex_unlock(&poppler);
  return status;
}

static int count_pages(VipsSourceCustom *source, void *data) {
  VipsImage *page = NULL;
  if (open_page(source, 1, &page)) return -1;
  *(int32_t *)data = vips_image_get_n_pages(page);
  g_object_unref(page);
  return 0;
}

mediatool_pdf_status mediatool_pdf_pages(mediatool_input *input, int32_t *pages) {
  *pages = 0;
  return visit(input, count_pages, pages);
}

static int measure(VipsSourceCustom *source, void *data) {
  mediatool_pdf_size *size = data;
  // libvips reports whole pixels. At 100 per point they are precise enough for pages from a stamp to a poster; a page
  // that fails or has a side of 1 is outside of that range.
  static const double scales[] = {100, 0.01};
  int error = -1;
  for (int i = 0; i < 2; i++) {
    VipsImage *page = NULL;
    if (open_page(source, scales[i], &page)) continue;
    if (error || page->Xsize > 1) size->width = page->Xsize / scales[i];
    if (error || page->Ysize > 1) size->height = page->Ysize / scales[i];
    error = 0;
    bool is_measured = page->Xsize > 1 && page->Ysize > 1;
    g_object_unref(page);
    if (is_measured) break;
  }
  return error;
}

mediatool_pdf_status mediatool_pdf_page_size(mediatool_input *input, mediatool_pdf_size *size) {
  *size = (mediatool_pdf_size){0};
  return visit(input, measure, size);
}

typedef struct {
  mediatool_pdf_page_options options;
  VipsImage *out;
} drawing;

static int draw(VipsSourceCustom *source, void *data) {
  drawing *d = data;
  VipsImage *page = NULL, *opaque = NULL;
  mediatool_vips_error error;
  int result = open_page(source, d->options.scale, &page);
  if (!result && (int64_t)page->Xsize * page->Ysize > d->options.max_pixels) {
    vips_error("mediatool", "the rendered page exceeds its reported dimensions");
    result = -1;
  }
  // libvips renders on white, so the alpha channel is constant.
  if (!result) result = vips_extract_band(page, &opaque, 0, "n", 3, NULL);
  // Render everything now, on this thread, so that no call of Poppler follows after the lock is released.
  if (!result) result = mediatool_vips_copy_to_memory(opaque, &d->out, &error);
  if (!result) vips_image_remove(d->out, VIPS_META_N_PAGES);
  VIPS_UNREF(opaque);
  VIPS_UNREF(page);
  return result;
}

mediatool_pdf_status mediatool_pdf_draw(mediatool_input *input, mediatool_pdf_page_options options, VipsImage **out) {
  drawing d = {options, NULL};
  mediatool_pdf_status status = visit(input, draw, &d);
  // A page that was finished after the deadline may be incomplete, because later reads failed.
  if (status == MEDIATOOL_PDF_OK && mediatool_input_timed_out(input)) status = MEDIATOOL_PDF_INPUT;
  if (status != MEDIATOOL_PDF_OK) VIPS_UNREF(d.out);
  *out = d.out;
  return status;
}
