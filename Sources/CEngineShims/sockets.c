#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "mediatool_engine.h"

enum { lowest_descriptor = MEDIATOOL_WORKER_SOCKET + 1 };

int mediatool_socket_pair(int *first, int *second) {
  int ends[2];
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends)) return -1;
  // Above 0, 1 and 2, which may be free here and are /dev/null in a worker.
  *first = fcntl(ends[0], F_DUPFD_CLOEXEC, lowest_descriptor);
  *second = fcntl(ends[1], F_DUPFD_CLOEXEC, lowest_descriptor);
  int code = errno;
  close(ends[0]);
  close(ends[1]);
  if (*first >= 0 && *second >= 0) return 0;
  if (*first >= 0) close(*first);
  if (*second >= 0) close(*second);
  errno = code;
  return -1;
}

ssize_t mediatool_send(int socket, const void *bytes, size_t count, int descriptor) {
  struct iovec part = {.iov_base = (void *)bytes, .iov_len = count};
  struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1};
  // A union, for the alignment that CMSG_FIRSTHDR expects.
  union {
    struct cmsghdr header;
    char bytes[CMSG_SPACE(sizeof(int))];
  } control;
  if (descriptor >= 0) {
    memset(&control, 0, sizeof control);
    message.msg_control = &control;
    message.msg_controllen = sizeof control.bytes;
    struct cmsghdr *header = CMSG_FIRSTHDR(&message);
    header->cmsg_level = SOL_SOCKET;
    header->cmsg_type = SCM_RIGHTS;
    header->cmsg_len = CMSG_LEN(sizeof(int));
    memcpy(CMSG_DATA(header), &descriptor, sizeof descriptor);
  }
  return sendmsg(socket, &message, MSG_NOSIGNAL);
}

ssize_t mediatool_receive(int socket, void *bytes, size_t count, int *descriptor) {
  *descriptor = -1;
  struct iovec part = {.iov_base = bytes, .iov_len = count};
  union {
    struct cmsghdr header;
    char bytes[CMSG_SPACE(sizeof(int))];
  } control;
  struct msghdr message = {
    .msg_iov = &part, .msg_iovlen = 1, .msg_control = &control, .msg_controllen = sizeof control.bytes};
  ssize_t received = recvmsg(socket, &message, MSG_CMSG_CLOEXEC);
  if (received < 0) return received;
  // There is room for one descriptor; the kernel closes others, and reports that.
  for (struct cmsghdr *header = CMSG_FIRSTHDR(&message); header; header = CMSG_NXTHDR(&message, header))
    if (header->cmsg_level == SOL_SOCKET && header->cmsg_type == SCM_RIGHTS && header->cmsg_len == CMSG_LEN(sizeof(int)))
      memcpy(descriptor, CMSG_DATA(header), sizeof *descriptor);
  if (message.msg_flags & MSG_CTRUNC) {
    if (*descriptor >= 0) close(*descriptor);
    *descriptor = -1;
    errno = EPROTO;
    return -1;
  }
  return received;
}

ssize_t mediatool_receive_bytes(int socket, void *bytes, size_t count) { return recv(socket, bytes, count, 0); }
