#define _GNU_SOURCE
#include <fcntl.h>
#include <stdint.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "mediatool_isolation.h"

// The kernel's interface (linux/landlock.h) declared here: Debian's headers are older than the kernels this runs on, and an older
// kernel gets only what it supports. docs.kernel.org/userspace-api/landlock.html
enum {
  create_ruleset = 444,
  add_rule = 445,
  restrict_self = 446,
  ask_version = 1,
  rule_path_beneath = 1,
};

struct ruleset {
  uint64_t files;
  uint64_t network;  // from version 4 on
  uint64_t scoped;   // from version 6 on
};

struct __attribute__((packed)) path_beneath {
  uint64_t allowed;
  int32_t folder;
};

#define READ_FILE (1ULL << 2)
#define READ_FOLDER (1ULL << 3)

// All rights that a version can restrict.
static struct ruleset everything(int version) {
  int file_rights = version >= 5 ? 16 : version >= 3 ? 15 : version == 2 ? 14 : 13;
  return (struct ruleset){
    .files = (1ULL << file_rights) - 1,
    .network = version >= 4 ? 3 : 0,  // bind and connect, TCP
    .scoped = version >= 6 ? 3 : 0,   // abstract UNIX sockets and signals to processes outside
  };
}

static void allow_reading(int ruleset, const char *path) {
  int descriptor = open(path, O_PATH | O_CLOEXEC);
  if (descriptor < 0) return;  // a missing file needs no rule
  struct stat status;
  if (fstat(descriptor, &status) == 0) {
    struct path_beneath rule = {
      .allowed = S_ISDIR(status.st_mode) ? READ_FILE | READ_FOLDER : READ_FILE, .folder = descriptor};
    syscall(add_rule, ruleset, rule_path_beneath, &rule, 0);
  }
  close(descriptor);
}

int mediatool_landlock(const char *const *readable) {
  long version = syscall(create_ruleset, NULL, 0, ask_version);
  if (version < 1) return -1;
  struct ruleset rules = everything((int)version);
  size_t size = version >= 6 ? sizeof rules : version >= 4 ? 2 * sizeof(uint64_t) : sizeof(uint64_t);
  long ruleset = syscall(create_ruleset, &rules, size, 0);
  if (ruleset < 0) return -1;
  for (; *readable; readable++) allow_reading((int)ruleset, *readable);
  long result = syscall(restrict_self, (int)ruleset, 0);
  close((int)ruleset);
  return result ? -1 : (int)version;
}
