#include "mediatool_pdf.h"

#include <pthread.h>
#include <string.h>

#include "mediatool_vips.h"

typedef struct {
  mediatool_input *input;  // NULL once the caller's input may be gone
  int64_t position;
  bool failed;
} reader;

// Poppler promises thread safety for one document a thread only since lately, and shares fonts and parameters between documents.
// A page count takes a millisecond, so nobody waits long.
static pthread_mutex_t poppler = PTHREAD_MUTEX_INITIALIZER;

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

static mediatool_pdf_status load(mediatool_input *input, reader *r, VipsSourceCustom *source, int32_t *pages) {
  VipsImage *image = NULL;
  // Header only: libvips renders when pixels are asked for. What the libraries said before is not ours to report.
  vips_error_clear();
  int error = vips_pdfload_source(VIPS_SOURCE(source), &image, NULL);
  if (!error) {
    *pages = vips_image_get_n_pages(image);
    g_object_unref(image);
  }
  // A libvips that caches operations would keep the source, and with it a pointer to an input that ends soon.
  r->input = NULL;
  if (!error) return MEDIATOOL_PDF_OK;
  char *text = vips_error_buffer_copy();
  // "Document is encrypted" is Poppler's text for POPPLER_ERROR_ENCRYPTED (poppler-document.cc); libvips hands on only the text.
  mediatool_pdf_status status = strstr(text, "ncrypted")                         ? MEDIATOOL_PDF_ENCRYPTED
                                : strstr(text, "blocked") || strstr(text, "not found") ? MEDIATOOL_PDF_UNSUPPORTED
                                                                                 : MEDIATOOL_PDF_CORRUPT;
  g_free(text);
  return r->failed || mediatool_input_timed_out(input) ? MEDIATOOL_PDF_INPUT : status;
}

mediatool_pdf_status mediatool_pdf_pages(mediatool_input *input, int32_t *pages) {
  *pages = 0;
  mediatool_vips_error unused;
  if (mediatool_vips_start(&unused) != 0) return MEDIATOOL_PDF_UNSUPPORTED;
  mediatool_vips_need(MEDIATOOL_MODULE_POPPLER);

  pthread_mutex_lock(&poppler);
  reader *r = g_new0(reader, 1);
  r->input = input;
  VipsSourceCustom *source = vips_source_custom_new();
  g_object_set_data_full(G_OBJECT(source), "mediatool-reader", r, g_free);
  g_signal_connect(source, "read", G_CALLBACK(read_source), r);
  g_signal_connect(source, "seek", G_CALLBACK(seek_source), r);
  mediatool_pdf_status status = load(input, r, source, pages);
  g_object_unref(source);
  pthread_mutex_unlock(&poppler);
  return status;
}
