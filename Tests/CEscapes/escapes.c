#define _GNU_SOURCE
#include "escapes.h"

#include <arpa/inet.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/bpf.h>
#include <linux/perf_event.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/inotify.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/pidfd.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

static int job, parent_process;

static int opened(int descriptor) {
  if (descriptor < 0) return -1;
  close(descriptor);
  return 0;
}

static int of_parent(const char *what) {
  char path[64];
  snprintf(path, sizeof path, "/proc/%d/%s", parent_process, what);
  return opened(open(path, O_RDONLY));
}

static int open_file(void) { return opened(open("/etc/passwd", O_RDONLY)); }
static int open_own_program(void) { return opened(open("/proc/self/exe", O_RDONLY)); }
static int open_own_memory(void) { return opened(open("/proc/self/mem", O_RDWR)); }
static int parent_memory(void) { return of_parent("mem"); }
static int parent_maps(void) { return of_parent("maps"); }
static int parent_environment(void) { return of_parent("environ"); }
static int parent_command_line(void) { return of_parent("cmdline"); }
static int create_file(void) { return opened(open("/tmp/mediatool-escaped", O_WRONLY | O_CREAT, 0600)); }
static int write_font(void) { return opened(open("/usr/share/fonts/escaped", O_WRONLY | O_CREAT, 0600)); }
static int write_device(void) { return opened(open("/dev/shm/escaped", O_RDWR | O_CREAT, 0600)); }
static int list_root(void) {
  DIR *folder = opendir("/");
  if (!folder) return -1;
  closedir(folder);
  return 0;
}
static int look_at_path(void) { struct stat status; return stat("/etc/passwd", &status); }
static int look_with_empty_path(void) {
  // The flag says that the path may be empty, not that it is.
  struct stat status;
  return (int)syscall(SYS_newfstatat, AT_FDCWD, "/etc/passwd", &status, AT_EMPTY_PATH);
}
static int look_at_working_folder(void) {
  struct stat status;
  return (int)syscall(SYS_newfstatat, AT_FDCWD, "", &status, 0);
}
static int look_extended(void) { char answer[256]; return (int)syscall(SYS_statx, AT_FDCWD, "/etc/passwd", 0, 0xFFF, answer); }
static int open_for_questions(void) { return opened(open("/etc/passwd", O_PATH)); }
static int open_folder_for_questions(void) { return opened(open("/", O_PATH | O_DIRECTORY)); }
static int open_second_way(void) {
  unsigned long long how[3] = {O_RDONLY};
  return opened((int)syscall(SYS_openat2, AT_FDCWD, "/etc/passwd", how, sizeof how));
}
static int open_old_way(void) {
#ifdef SYS_open
  return opened((int)syscall(SYS_open, "/etc/passwd", O_RDONLY));
#else
  errno = EPERM;
  return -1;
#endif
}
static int name_by_handle(void) {
  unsigned handle[34] = {128};
  int mount;
  return (int)syscall(SYS_name_to_handle_at, AT_FDCWD, "/etc/passwd", handle, &mount, 0);
}
static int change_folder(void) { return chdir("/"); }
static int read_link(void) { char text[64]; return readlink("/proc/self/exe", text, sizeof text) < 0 ? -1 : 0; }
static int make_folder(void) { return mkdir("/tmp/mediatool-escaped-folder", 0700); }
static int remove_file(void) { return unlink("/etc/hostname"); }
static int rename_file(void) { return rename("/etc/hostname", "/etc/hostname2"); }
static int make_link(void) { return symlink("/etc/passwd", "/tmp/mediatool-escaped-link"); }
static int change_mode(void) { return chmod("/etc/hostname", 0777); }
static int change_mode_of_job(void) { return fchmod(job, 0777); }
static int write_job(void) { return write(job, "x", 1) < 0 ? -1 : 0; }
static int write_job_at(void) { return pwrite(job, "x", 1, 0) < 0 ? -1 : 0; }
static int shorten_job(void) { return ftruncate(job, 0); }
static int lock_job(void) { return fcntl(job, F_SETLEASE, F_RDLCK); }
static int map_job_shared(void) {
  return mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, job, 0) == MAP_FAILED ? -1 : 0;
}
static int run_job_as_code(void) {
  return mmap(NULL, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE, job, 0) == MAP_FAILED ? -1 : 0;
}
static int make_memory_code(void) {
  void *page = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  return mprotect(page, 4096, PROT_READ | PROT_EXEC);
}
static int socket_of(int family, int type) { return opened(socket(family, type, 0)); }
static int tcp(void) { return socket_of(AF_INET, SOCK_STREAM); }
static int tcp6(void) { return socket_of(AF_INET6, SOCK_STREAM); }
static int udp(void) { return socket_of(AF_INET, SOCK_DGRAM); }
static int unix_socket(void) { return socket_of(AF_UNIX, SOCK_STREAM); }
static int netlink_socket(void) { return socket_of(AF_NETLINK, SOCK_RAW); }
static int packet_socket(void) { return socket_of(AF_PACKET, SOCK_RAW); }
static int more_sockets(void) { int ends[2]; return socketpair(AF_UNIX, SOCK_STREAM, 0, ends); }
static int connect_elsewhere(void) {
  struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(9), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
  return connect(3, (struct sockaddr *)&address, sizeof address);
}
static int send_elsewhere(void) { return send(1, "x", 1, 0) < 0 ? -1 : 0; }
static int copy_descriptor(void) { return opened(dup(job)); }
static int replace_descriptor(void) { return dup2(job, 3) < 0 ? -1 : 0; }
static int run_program(void) { return execl("/bin/true", "true", NULL); }
static int run_descriptor(void) {
  char *none[] = {NULL};
  return (int)syscall(SYS_execveat, job, "", none, none, AT_EMPTY_PATH);
}
static int child_of(long flags) {
  long child = syscall(SYS_clone, flags, NULL, NULL, NULL, NULL);
  if (child == 0) _exit(0);
  if (child > 0) waitpid((pid_t)child, NULL, 0);
  return child < 0 ? -1 : 0;
}
static int fork_child(void) { return child_of(SIGCHLD); }
static int fork_namespace(void) { return child_of(SIGCHLD | CLONE_NEWUSER); }
static int vfork_child(void) {
  long child = syscall(SYS_vfork);
  if (child == 0) _exit(0);
  return child < 0 ? -1 : 0;
}
static int clone3_child(void) {
  unsigned long long arguments[11] = {[4] = SIGCHLD};
  long child = syscall(SYS_clone3, arguments, sizeof arguments);
  if (child == 0) _exit(0);
  return child < 0 ? -1 : 0;
}
static int thread_in_namespace(void) {
  long child = syscall(SYS_clone, CLONE_THREAD | CLONE_VM | CLONE_SIGHAND | CLONE_NEWNET, NULL, NULL, NULL, NULL);
  return child < 0 ? -1 : 0;
}
static int nothing(void *argument) { (void)argument; return 0; }
static int thread_with(int flags) {
  // Its own stack: where it is allowed it runs beside the others until it has ended.
  static char stack[65536] __attribute__((aligned(16)));
  return clone(nothing, stack + sizeof stack, flags, NULL) < 0 ? -1 : 0;
}
static int thread_with_own_descriptors(void) {
  return thread_with(CLONE_THREAD | CLONE_VM | CLONE_SIGHAND | CLONE_FS | CLONE_SYSVSEM);
}
static int thread_with_own_folder(void) {
  return thread_with(CLONE_THREAD | CLONE_VM | CLONE_SIGHAND | CLONE_FILES | CLONE_SYSVSEM);
}
static int processors_of_parent(void) {
  unsigned long mask[128];
  return syscall(SYS_sched_getaffinity, parent_process, sizeof mask, mask) < 0 ? -1 : 0;
}
static int policy_of_parent(void) { return sched_getscheduler(parent_process) < 0 ? -1 : 0; }
static int parameters_of_parent(void) { struct sched_param value; return sched_getparam(parent_process, &value); }
static int bind_parent(void) {
  unsigned long mask = 1;
  return (int)syscall(SYS_sched_setaffinity, parent_process, sizeof mask, &mask);
}
static int create_nameless_file(void) { return opened(open("/tmp", O_TMPFILE | O_RDWR, 0600)); }
static int create_nameless_font(void) { return opened(open("/usr/share/fonts", O_TMPFILE | O_WRONLY, 0600)); }
static int read_nameless_file(void) {
  return opened((int)syscall(SYS_openat, AT_FDCWD, "/usr/share/fonts", O_TMPFILE | O_RDONLY, 0600));
}
static int append_to_fonts(void) { return opened(open("/usr/share/fonts", O_RDONLY | O_APPEND)); }
static int trace_parent(void) { return (int)ptrace(PTRACE_ATTACH, parent_process, NULL, NULL); }
static int be_traced(void) { return (int)ptrace(PTRACE_TRACEME, 0, NULL, NULL); }
static int read_parent(void) {
  char byte;
  struct iovec here = {&byte, 1}, there = {(void *)4096, 1};
  return process_vm_readv(parent_process, &here, 1, &there, 1, 0) < 0 ? -1 : 0;
}
static int write_parent(void) {
  char byte = 0;
  struct iovec here = {&byte, 1}, there = {(void *)4096, 1};
  return process_vm_writev(parent_process, &here, 1, &there, 1, 0) < 0 ? -1 : 0;
}
static int take_descriptor_of_parent(void) { return opened((int)syscall(SYS_pidfd_getfd, job, 0, 0)); }
static int signal_parent(void) { return kill(parent_process, 0); }
static int signal_thread(void) { return (int)syscall(SYS_tgkill, parent_process, parent_process, 0); }
static int queue_signal(void) { union sigval value = {0}; return sigqueue(parent_process, 0, value); }
static int handle_of_parent(void) { return opened(pidfd_open(parent_process, 0)); }
static int new_namespaces(void) { return unshare(CLONE_NEWUSER | CLONE_NEWNS); }
static int change_root(void) { return chroot("/"); }
static int mount_something(void) { return mount("none", "/tmp", "tmpfs", 0, NULL); }
static int become_root(void) { return setuid(0); }
static int raise_limit(void) { struct rlimit limit = {1 << 20, 1 << 20}; return setrlimit(RLIMIT_FSIZE, &limit); }
static int raise_limit_of_parent(void) {
  struct rlimit limit = {1, 1};
  return prlimit(parent_process, RLIMIT_CPU, &limit, NULL);
}
static int read_limit_of_parent(void) {
  struct rlimit limit;
  return prlimit(parent_process, RLIMIT_NOFILE, NULL, &limit);
}
static int become_dumpable(void) { return prctl(PR_SET_DUMPABLE, 1, 0, 0, 0); }
static int outlive_parent(void) { return prctl(PR_SET_PDEATHSIG, 0); }
static int name_anonymous_file(void) { return opened(memfd_create("escaped", 0)); }
static int use_ring(void) { char parameters[256] = {0}; return opened((int)syscall(SYS_io_uring_setup, 4, parameters)); }
static int load_bpf(void) { union bpf_attr attributes = {0}; return opened((int)syscall(SYS_bpf, 0, &attributes, sizeof attributes)); }
static int watch_performance(void) {
  struct perf_event_attr attributes = {.type = PERF_TYPE_SOFTWARE, .size = sizeof attributes};
  return opened((int)syscall(SYS_perf_event_open, &attributes, 0, -1, -1, 0));
}
static int handle_faults(void) { return opened((int)syscall(SYS_userfaultfd, 0)); }
static int splice_file(void) { return syscall(SYS_splice, job, NULL, 3, NULL, 1, 0) < 0 ? -1 : 0; }
static int make_pipe(void) { int ends[2]; return pipe(ends); }
static int use_keys(void) { return syscall(SYS_keyctl, 0, -3, 1) < 0 ? -1 : 0; }
static int watch_files(void) { return opened(inotify_init()); }
static int control_device(void) { int value; return ioctl(0, 0x5401, &value); }
static int control_terminal(void) { return (int)syscall(SYS_ioctl, 0, 0x5412, "x"); }
static int change_priority(void) { return setpriority(PRIO_PROCESS, (id_t)parent_process, 19); }
static int new_session(void) { return setsid() < 0 ? -1 : 0; }
static int load_module(void) { return (int)syscall(SYS_finit_module, job, "", 0); }
static int set_clock(void) { struct timespec now = {0, 0}; return (int)syscall(SYS_clock_settime, 0, &now); }
static int shared_memory(void) { return syscall(SYS_shmget, 1, 4096, 01600) < 0 ? -1 : 0; }
static int message_queue(void) { return syscall(SYS_mq_open, "escaped", O_CREAT, 0600, NULL) < 0 ? -1 : 0; }


static const struct {
  const char *name;
  int (*attempt)(void);
} attempts[] = {
#define ESCAPE(name) {#name, name}
  ESCAPE(open_file), ESCAPE(open_own_program), ESCAPE(open_own_memory), ESCAPE(parent_memory), ESCAPE(parent_maps),
  ESCAPE(parent_environment), ESCAPE(parent_command_line), ESCAPE(create_file), ESCAPE(write_font),
  ESCAPE(write_device), ESCAPE(list_root), ESCAPE(look_at_path), ESCAPE(look_with_empty_path),
  ESCAPE(look_at_working_folder), ESCAPE(look_extended), ESCAPE(open_for_questions), ESCAPE(open_folder_for_questions),
  ESCAPE(open_second_way), ESCAPE(open_old_way), ESCAPE(name_by_handle), ESCAPE(change_folder),
  ESCAPE(thread_in_namespace), ESCAPE(write_parent), ESCAPE(take_descriptor_of_parent), ESCAPE(read_limit_of_parent),
  ESCAPE(splice_file), ESCAPE(make_pipe), ESCAPE(read_link), ESCAPE(make_folder),
  ESCAPE(remove_file), ESCAPE(rename_file), ESCAPE(make_link), ESCAPE(change_mode), ESCAPE(change_mode_of_job),
  ESCAPE(write_job), ESCAPE(write_job_at), ESCAPE(shorten_job), ESCAPE(lock_job), ESCAPE(map_job_shared),
  ESCAPE(run_job_as_code), ESCAPE(make_memory_code), ESCAPE(tcp), ESCAPE(tcp6), ESCAPE(udp), ESCAPE(unix_socket),
  ESCAPE(netlink_socket), ESCAPE(packet_socket), ESCAPE(more_sockets), ESCAPE(connect_elsewhere),
  ESCAPE(send_elsewhere), ESCAPE(copy_descriptor), ESCAPE(replace_descriptor), ESCAPE(run_program),
  ESCAPE(run_descriptor), ESCAPE(fork_child), ESCAPE(fork_namespace), ESCAPE(vfork_child), ESCAPE(clone3_child),
  ESCAPE(trace_parent), ESCAPE(be_traced), ESCAPE(read_parent), ESCAPE(signal_parent), ESCAPE(signal_thread),
  ESCAPE(queue_signal), ESCAPE(handle_of_parent), ESCAPE(new_namespaces), ESCAPE(change_root),
  ESCAPE(mount_something), ESCAPE(become_root), ESCAPE(raise_limit), ESCAPE(raise_limit_of_parent),
  ESCAPE(become_dumpable), ESCAPE(outlive_parent), ESCAPE(name_anonymous_file), ESCAPE(use_ring), ESCAPE(load_bpf),
  ESCAPE(watch_performance), ESCAPE(handle_faults), ESCAPE(use_keys), ESCAPE(watch_files), ESCAPE(control_device),
  ESCAPE(control_terminal), ESCAPE(change_priority), ESCAPE(new_session), ESCAPE(load_module), ESCAPE(set_clock),
  ESCAPE(shared_memory), ESCAPE(message_queue), ESCAPE(thread_with_own_descriptors), ESCAPE(thread_with_own_folder),
  ESCAPE(processors_of_parent), ESCAPE(policy_of_parent), ESCAPE(parameters_of_parent), ESCAPE(bind_parent),
  ESCAPE(create_nameless_file), ESCAPE(create_nameless_font), ESCAPE(read_nameless_file), ESCAPE(append_to_fonts),
};

int escape_count(void) { return (int)(sizeof attempts / sizeof attempts[0]); }

const char *escape_name(int index) { return attempts[index].name; }

int escape_try(int index, int job_descriptor, int parent) {
  job = job_descriptor;
  parent_process = parent;
  errno = 0;
  return attempts[index].attempt() == 0 ? 0 : errno ? errno : -1;
}

void escape_in_other_words(void) {
#if defined(__x86_64__)
  // getpid as the 32-bit kernel knows it.
  long result = 20;
  __asm__ volatile("int $0x80" : "+a"(result) : : "memory");
#else
  signal(SIGSYS, SIG_DFL);
  raise(SIGSYS);
#endif
}

int escape_squeeze(int process, long long bytes) {
  char path[64];
  snprintf(path, sizeof path, "/proc/%d/statm", process);
  FILE *file = fopen(path, "re");
  if (!file) return errno;
  long pages = 0;
  int found = fscanf(file, "%ld", &pages);
  fclose(file);
  if (found != 1) return EIO;
  rlim_t size = (rlim_t)pages * (rlim_t)sysconf(_SC_PAGESIZE) + (rlim_t)bytes;
  return prlimit(process, RLIMIT_AS, &(struct rlimit){size, size}, NULL) ? errno : 0;
}
