// The facts and the first page of a PDF, by the PDF loader of libvips (Poppler).
#ifndef MEDIATOOL_PDF_H
#define MEDIATOOL_PDF_H

#include <vips/vips.h>

#include "mediatool_input.h"

#pragma clang assume_nonnull begin

typedef enum : int32_t {
  MEDIATOOL_PDF_OK = 0,
  MEDIATOOL_PDF_CLOSED,       // Poppler cannot open it: it needs a password, or is not a document
  MEDIATOOL_PDF_CORRUPT,      // it can be opened, but has no page that can be rendered
  MEDIATOOL_PDF_UNSUPPORTED,  // this libvips has no loader for it
  MEDIATOOL_PDF_INPUT,        // the input failed or its deadline passed: the input knows which
} mediatool_pdf_status;

// Counts the pages without rendering. Reads the cross-reference tables, not the whole file. One caller at a time;
// others wait, at most until the input's deadline. So do all functions here.
mediatool_pdf_status mediatool_pdf_pages(mediatool_input *input, int32_t *pages);

typedef struct {
  double width;
  double height;
} mediatool_pdf_size;

// The size of the first page as displayed, rotated by /Rotate and cropped to its /CropBox, in points with two
// decimals. Renders nothing.
mediatool_pdf_status mediatool_pdf_page_size(mediatool_input *input, mediatool_pdf_size *size);

typedef struct {
  double scale;        // pixels per point
  int64_t max_pixels;  // a page with more is not rendered
} mediatool_pdf_page_options;

// Renders the first page on white, RGB, in memory. The deadline is checked before and after, not while a page is rendered:
// Poppler can abort a page (abortCheckCbk of Page::displaySlice), but neither its GLib interface nor libvips offers
// that, and a small file is not read again. A page that renders forever blocks its thread, and Poppler, forever.
mediatool_pdf_status mediatool_pdf_draw(
  mediatool_input *input, mediatool_pdf_page_options options, VipsImage *_Nullable *_Nonnull out);

#pragma clang assume_nonnull end
#endif
