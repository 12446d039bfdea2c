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

// Poppler promises thread safety for one document a thread only since lately, and shares fonts and parameters between documents.
static pthread_mutex_t poppler = PTHREAD_MUTEX_INITIALIZER;

// Waits until nobody else is inside Poppler; a page that is drawn for long must not hold others past their own deadlines.
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

// The first page at that scale, header only: libvips draws when pixels are asked for. A page of no size, or of one beyond what an
// image can have, comes back with a side of 1.
static int open_page(VipsSourceCustom *source, double scale, VipsImage **page) {
  reader *r = g_object_get_data(G_OBJECT(source), "mediatool-reader");
  // Each of libvips' two factors has bounds, which an untrusted page may exceed.
  double factor = VIPS_CLIP(0.001, scale, 100000), dpi = 72 * (scale / factor);
  // libvips' error buffer is limited, and nothing else empties it.
  vips_error_clear();
  int result = vips_pdfload_source(VIPS_SOURCE(source), page, "page", 0, "n", 1, "scale", factor, "dpi", dpi, NULL);
  if (!result) r->opened = true;
  return result;
}

// Nothing is read out of libvips' error text, which belongs to all threads together.
static mediatool_pdf_status reason(mediatool_input *input, const reader *r) {
  if (r->failed || mediatool_input_timed_out(input)) return MEDIATOOL_PDF_INPUT;
  return r->opened ? MEDIATOOL_PDF_CORRUPT : MEDIATOOL_PDF_CLOSED;
}

// What is done with the document while nobody else is inside Poppler. 0, or -1.
typedef int (*visitor)(VipsSourceCustom *source, void *data);

static mediatool_pdf_status visit(mediatool_input *input, visitor work, void *data) {
  mediatool_vips_error unused;
  if (mediatool_vips_start(&unused) != 0) return MEDIATOOL_PDF_UNSUPPORTED;
  mediatool_vips_need(MEDIATOOL_MODULE_POPPLER);
  if (!vips_type_find("VipsForeignLoad", "pdfload_source")) return MEDIATOOL_PDF_UNSUPPORTED;
  if (!enter_poppler(input)) return MEDIATOOL_PDF_INPUT;
  reader *r = g_new0(reader, 1);
  r->input = input;
  VipsSourceCustom *source = vips_source_custom_new();
  g_object_set_data_full(G_OBJECT(source), "mediatool-reader", r, g_free);
  g_signal_connect(source, "read", G_CALLBACK(read_source), r);
  g_signal_connect(source, "seek", G_CALLBACK(seek_source), r);
  // A page of an impossible size makes libvips set an invalid width. GObject logs that to standard error, on which an untrusted file must
  // not be able to write.
  guint handler = g_log_set_handler("GLib-GObject", G_LOG_LEVEL_WARNING, discard_log, NULL);
  int error = work(source, data);
  g_log_remove_handler("GLib-GObject", handler);
  // A libvips that caches operations would keep the source, and with it a pointer to an input that ends soon.
  r->input = NULL;
  mediatool_pdf_status status = error ? reason(input, r) : MEDIATOOL_PDF_OK;
  // Poppler goes on without what it cannot read, and says nothing.
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
  // libvips counts in whole pixels: at 100 a point they are fine enough for everything from a stamp to a wall. What fails or has a
  // side of 1 there is smaller or larger than that.
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
  // libvips lays white paper beneath, so the fourth channel says nothing.
  if (!result) result = vips_extract_band(page, &opaque, 0, "n", 3, NULL);
  // All of it now, on this thread: nothing of Poppler is left when the lock is given back.
  if (!result) result = mediatool_vips_copy_to_memory(opaque, &d->out, &error);
  if (!result) vips_image_remove(d->out, VIPS_META_N_PAGES);
  VIPS_UNREF(opaque);
  VIPS_UNREF(page);
  return result;
}

mediatool_pdf_status mediatool_pdf_draw(mediatool_input *input, mediatool_pdf_page_options options, VipsImage **out) {
  drawing d = {options, NULL};
  mediatool_pdf_status status = visit(input, draw, &d);
  // A page that came too late may be half a page: what could not be read any more is missing from it.
  if (status == MEDIATOOL_PDF_OK && mediatool_input_timed_out(input)) status = MEDIATOOL_PDF_INPUT;
  if (status != MEDIATOOL_PDF_OK) VIPS_UNREF(d.out);
  *out = d.out;
  return status;
}
