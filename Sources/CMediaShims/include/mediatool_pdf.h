// What a PDF says of itself and what its first page looks like, through libvips' loader for it (Poppler).
#ifndef MEDIATOOL_PDF_H
#define MEDIATOOL_PDF_H

#include <vips/vips.h>

#include "mediatool_input.h"

#pragma clang assume_nonnull begin

typedef enum : int32_t {
  MEDIATOOL_PDF_OK = 0,
  MEDIATOOL_PDF_CLOSED,       // Poppler does not open it: it needs a password, or there is no document in it
  MEDIATOOL_PDF_CORRUPT,      // it opens, and has no page that can be shown
  MEDIATOOL_PDF_UNSUPPORTED,  // this libvips has no loader for it
  MEDIATOOL_PDF_INPUT,        // the input failed or its deadline passed: ask the input which
} mediatool_pdf_status;

// Counts the pages; renders nothing. Reads the cross-reference tables, not the whole file. One caller at a time, others wait.
// The wait ends at the input's deadline; so does every function here.
mediatool_pdf_status mediatool_pdf_pages(mediatool_input *input, int32_t *pages);

typedef struct {
  double width;
  double height;
} mediatool_pdf_size;

// The first page as displayed, turned by /Rotate and cut to its /CropBox, in points to a hundredth; draws nothing.
mediatool_pdf_status mediatool_pdf_page_size(mediatool_input *input, mediatool_pdf_size *size);

typedef struct {
  double scale;        // pixels a point
  int64_t max_pixels;  // a page that comes out larger is not drawn
} mediatool_pdf_page_options;

// Draws the first page on white paper, RGB, in memory. The deadline is kept before and between, not inside a page: Poppler has a way to
// stop a page that is under way (abortCheckCbk of Page::displaySlice), but neither its GLib interface nor libvips hands it on, and of
// a small file nothing is read a second time. A page that draws for ever holds its thread, and Poppler, for ever.
mediatool_pdf_status mediatool_pdf_draw(
  mediatool_input *input, mediatool_pdf_page_options options, VipsImage *_Nullable *_Nonnull out);

#pragma clang assume_nonnull end
#endif
