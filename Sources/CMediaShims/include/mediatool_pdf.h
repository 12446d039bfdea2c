// What a PDF says of itself, through libvips' loader for it (Poppler).
#ifndef MEDIATOOL_PDF_H
#define MEDIATOOL_PDF_H

#include "mediatool_input.h"

#pragma clang assume_nonnull begin

typedef enum : int32_t {
  MEDIATOOL_PDF_OK = 0,
  MEDIATOOL_PDF_ENCRYPTED,    // it opens only with a password
  MEDIATOOL_PDF_CORRUPT,      // Poppler finds no document in it
  MEDIATOOL_PDF_UNSUPPORTED,  // this libvips has no loader for it, or it is blocked
  MEDIATOOL_PDF_INPUT,        // the input failed or its deadline passed: ask the input which
} mediatool_pdf_status;

// Counts the pages; renders nothing. Reads the cross-reference tables, not the whole file. One caller at a time, others wait.
mediatool_pdf_status mediatool_pdf_pages(mediatool_input *input, int32_t *pages);

#pragma clang assume_nonnull end
#endif
