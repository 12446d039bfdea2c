// A file without a name in memory, for bytes that come through a pipe.
#ifndef MEDIATOOL_SPOOL_H
#define MEDIATOOL_SPOOL_H

// A new, empty descriptor, closed on exec; -1 when there is no memory. Here because memfd_create is a GNU extension, which Swift's
// Glibc module does not show.
int mediatool_memory_file(void);

#endif
