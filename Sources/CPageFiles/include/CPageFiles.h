#ifndef MEDIATOOL_PAGE_FILES_H
#define MEDIATOOL_PAGE_FILES_H

#include <stddef.h>

/// A file of the page that the service shows in a browser.
typedef struct {
  /// The name in addresses, below `/page/`.
  const char *name;
  const unsigned char *bytes;
  size_t count;
} mediatool_page_file;

/// The number of files.
size_t mediatool_page_file_count(void);

/// The file with an index below the number of files. Lives as long as the process.
mediatool_page_file mediatool_page_file_at(size_t index);

/// Compresses a file with gzip (RFC 1952) into a buffer. In C for zlib, which has no module for Swift.
/// Returns the number of bytes; 0 if they are more than the capacity, or there is too little memory.
size_t mediatool_page_file_gzip(mediatool_page_file file, unsigned char *buffer, size_t capacity);

#endif
