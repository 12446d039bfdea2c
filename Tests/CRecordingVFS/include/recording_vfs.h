#ifndef MEDIATOOL_RECORDING_VFS_H
#define MEDIATOOL_RECORDING_VFS_H

#include <stdint.h>

/// Makes every later SQLite connection of this process record what it does to files in a folder: writes, truncations, syncs and removals, in
/// their order. C, because a VFS is a table of C functions.
///
/// The record is a sequence of entries without padding, in the byte order of the machine:
/// kind (1 byte), length of the name (1 byte), length of the data (4 bytes), offset or size or number (8 bytes), name, data.
/// @param folder Only database files and logs below this path are recorded, under their names without the path.
/// @param record The path of the record, which is created.
/// @return 0, or a result code of SQLite.
int mediatool_record_sqlite(const char *folder, const char *record);

/// Adds a mark to the record: what was called before it has returned.
void mediatool_record_mark(uint64_t number);

enum {
  mediatool_record_write = 1,
  mediatool_record_truncate = 2,
  mediatool_record_sync = 3,
  mediatool_record_delete = 4,
  mediatool_record_note = 5,
};

#endif
