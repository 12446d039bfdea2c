#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/stat.h>
#include <unistd.h>

#include "mediatool_engine.h"

int mediatool_event_fd(void) { return eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK); }

int64_t mediatool_memory_kills(void) {
  // Several pages of numbers, one per line.
  char text[16384];
  int descriptor = open("/proc/vmstat", O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) return -1;
  size_t length = 0;
  ssize_t count;
  while (length < sizeof text - 1 && (count = read(descriptor, text + length, sizeof text - 1 - length)) > 0)
    length += (size_t)count;
  close(descriptor);
  text[length] = 0;
  const char *line = strstr(text, "\noom_kill ");
  return line ? strtoll(line + strlen("\noom_kill "), NULL, 10) : -1;
}

int64_t mediatool_resident_bytes(int statm) {
  char text[128];
  ssize_t length = pread(statm, text, sizeof text - 1, 0);
  if (length <= 0) return -1;
  text[length] = 0;
  // "size resident shared …", in pages.
  long long size, resident;
  if (sscanf(text, "%lld %lld", &size, &resident) != 2) return -1;
  return resident * sysconf(_SC_PAGESIZE);
}

int64_t mediatool_thread_links(int tasks) {
  // A folder has a link for itself, one for its name, and one for each folder in it: /proc counts threads for it without a list.
  struct stat status;
  if (fstat(tasks, &status)) return -1;
  return (int64_t)status.st_nlink - 2;
}
