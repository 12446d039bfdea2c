#include "recording_vfs.h"

#include <pthread.h>
#include <sqlite3.h>
#include <stdio.h>
#include <string.h>

/// A file of the recorder, with the file of the real VFS behind it.
typedef struct {
  sqlite3_file base;
  sqlite3_file *real;
  /// The name without its folder; empty for a file that is not recorded.
  char name[128];
} recorded_file;

static sqlite3_vfs *real_vfs;
static sqlite3_vfs recording_vfs;
static FILE *record;
static char folder[1024];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void note(uint8_t kind, const char *name, uint64_t number, const void *data, uint32_t length) {
  uint8_t name_length = (uint8_t)strlen(name);
  pthread_mutex_lock(&lock);
  fwrite(&kind, 1, 1, record);
  fwrite(&name_length, 1, 1, record);
  fwrite(&length, 4, 1, record);
  fwrite(&number, 8, 1, record);
  fwrite(name, 1, name_length, record);
  if (length > 0) fwrite(data, 1, length, record);
  fflush(record);
  pthread_mutex_unlock(&lock);
}

static const char *recorded_name(const char *path) {
  size_t length = strlen(folder);
  if (path == NULL || strncmp(path, folder, length) != 0 || path[length] != '/') return "";
  const char *name = strrchr(path, '/') + 1;
  return strlen(name) < sizeof(((recorded_file *)0)->name) ? name : "";
}

#define REAL(file) (((recorded_file *)(file))->real)
#define NAME(file) (((recorded_file *)(file))->name)

static int file_close(sqlite3_file *file) { return REAL(file)->pMethods->xClose(REAL(file)); }

static int file_read(sqlite3_file *file, void *buffer, int count, sqlite3_int64 offset) {
  return REAL(file)->pMethods->xRead(REAL(file), buffer, count, offset);
}

static int file_write(sqlite3_file *file, const void *buffer, int count, sqlite3_int64 offset) {
  int result = REAL(file)->pMethods->xWrite(REAL(file), buffer, count, offset);
  if (result == SQLITE_OK && NAME(file)[0]) {
    note(mediatool_record_write, NAME(file), (uint64_t)offset, buffer, (uint32_t)count);
  }
  return result;
}

static int file_truncate(sqlite3_file *file, sqlite3_int64 size) {
  int result = REAL(file)->pMethods->xTruncate(REAL(file), size);
  if (result == SQLITE_OK && NAME(file)[0]) note(mediatool_record_truncate, NAME(file), (uint64_t)size, NULL, 0);
  return result;
}

static int file_sync(sqlite3_file *file, int flags) {
  int result = REAL(file)->pMethods->xSync(REAL(file), flags);
  if (result == SQLITE_OK && NAME(file)[0]) note(mediatool_record_sync, NAME(file), 0, NULL, 0);
  return result;
}

static int file_size(sqlite3_file *file, sqlite3_int64 *size) { return REAL(file)->pMethods->xFileSize(REAL(file), size); }
static int file_lock(sqlite3_file *file, int level) { return REAL(file)->pMethods->xLock(REAL(file), level); }
static int file_unlock(sqlite3_file *file, int level) { return REAL(file)->pMethods->xUnlock(REAL(file), level); }

static int file_reserved(sqlite3_file *file, int *result) {
  return REAL(file)->pMethods->xCheckReservedLock(REAL(file), result);
}

static int file_control(sqlite3_file *file, int operation, void *argument) {
  return REAL(file)->pMethods->xFileControl(REAL(file), operation, argument);
}

static int file_sector(sqlite3_file *file) { return REAL(file)->pMethods->xSectorSize(REAL(file)); }
static int file_device(sqlite3_file *file) { return REAL(file)->pMethods->xDeviceCharacteristics(REAL(file)); }

static int shm_map(sqlite3_file *file, int page, int size, int extend, void volatile **address) {
  return REAL(file)->pMethods->xShmMap(REAL(file), page, size, extend, address);
}

static int shm_lock(sqlite3_file *file, int offset, int count, int flags) {
  return REAL(file)->pMethods->xShmLock(REAL(file), offset, count, flags);
}

static void shm_barrier(sqlite3_file *file) { REAL(file)->pMethods->xShmBarrier(REAL(file)); }
static int shm_unmap(sqlite3_file *file, int remove) { return REAL(file)->pMethods->xShmUnmap(REAL(file), remove); }

// Version 2: without memory mapping, which no recorder sees.
static const sqlite3_io_methods methods = {
  .iVersion = 2,
  .xClose = file_close,
  .xRead = file_read,
  .xWrite = file_write,
  .xTruncate = file_truncate,
  .xSync = file_sync,
  .xFileSize = file_size,
  .xLock = file_lock,
  .xUnlock = file_unlock,
  .xCheckReservedLock = file_reserved,
  .xFileControl = file_control,
  .xSectorSize = file_sector,
  .xDeviceCharacteristics = file_device,
  .xShmMap = shm_map,
  .xShmLock = shm_lock,
  .xShmBarrier = shm_barrier,
  .xShmUnmap = shm_unmap,
};

static int vfs_open(sqlite3_vfs *vfs, const char *path, sqlite3_file *file, int flags, int *flags_out) {
  (void)vfs;
  recorded_file *recorded = (recorded_file *)file;
  memset(recorded, 0, sizeof *recorded);
  recorded->real = (sqlite3_file *)(recorded + 1);
  int kept = SQLITE_OPEN_MAIN_DB | SQLITE_OPEN_WAL | SQLITE_OPEN_MAIN_JOURNAL;
  if (flags & kept) strcpy(recorded->name, recorded_name(path));
  int result = real_vfs->xOpen(real_vfs, path, recorded->real, flags, flags_out);
  if (recorded->real->pMethods != NULL) recorded->base.pMethods = &methods;
  return result;
}

static int vfs_delete(sqlite3_vfs *vfs, const char *path, int syncs_folder) {
  (void)vfs;
  int result = real_vfs->xDelete(real_vfs, path, syncs_folder);
  const char *name = recorded_name(path);
  if (result == SQLITE_OK && name[0]) note(mediatool_record_delete, name, (uint64_t)syncs_folder, NULL, 0);
  return result;
}

int mediatool_record_sqlite(const char *path, const char *record_path) {
  real_vfs = sqlite3_vfs_find(NULL);
  if (real_vfs == NULL || strlen(path) >= sizeof folder) return SQLITE_MISUSE;
  strcpy(folder, path);
  record = fopen(record_path, "wbe");
  if (record == NULL) return SQLITE_CANTOPEN;
  recording_vfs = *real_vfs;
  recording_vfs.pNext = NULL;
  recording_vfs.zName = "mediatool-recording";
  recording_vfs.szOsFile = (int)sizeof(recorded_file) + real_vfs->szOsFile;
  recording_vfs.xOpen = vfs_open;
  recording_vfs.xDelete = vfs_delete;
  return sqlite3_vfs_register(&recording_vfs, 1);
}

void mediatool_record_mark(uint64_t number) { note(mediatool_record_note, "", number, NULL, 0); }
