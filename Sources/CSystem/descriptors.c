// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

#define _GNU_SOURCE
#include "CSwiftletSystem.h"

#include <errno.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum { MOST = 8 };
union Control { char bytes[CMSG_SPACE(MOST * sizeof(int))]; struct cmsghdr head; };

int swiftlet_send_descriptors(int socket, const void *bytes, size_t size, const int *descriptors, int count) {
  if (count < 0 || count > MOST) return errno = EINVAL, -1;
  const size_t length = (size_t)count * sizeof(int);
  struct iovec data = {(void *)bytes, size};
  union Control control = {{0}};
  struct msghdr message = {.msg_iov = &data, .msg_iovlen = 1, .msg_control = control.bytes, .msg_controllen = CMSG_SPACE(length)};
  struct cmsghdr *head = CMSG_FIRSTHDR(&message);
  head->cmsg_level = SOL_SOCKET;
  head->cmsg_type = SCM_RIGHTS;
  head->cmsg_len = CMSG_LEN(length);
  memcpy(CMSG_DATA(head), descriptors, length);
  ssize_t sent;
  do sent = sendmsg(socket, &message, MSG_NOSIGNAL); while (sent < 0 && errno == EINTR);
  return sent == (ssize_t)size ? 0 : -1;
}

ssize_t swiftlet_receive_descriptors(int socket, void *bytes, size_t capacity, int *descriptors, int count) {
  struct iovec data = {bytes, capacity};
  union Control control;
  struct msghdr message = {.msg_iov = &data, .msg_iovlen = 1, .msg_control = control.bytes, .msg_controllen = sizeof control};
  ssize_t got;
  do got = recvmsg(socket, &message, MSG_CMSG_CLOEXEC); while (got < 0 && errno == EINTR);
  if (got <= 0) return got;
  const struct cmsghdr *head = CMSG_FIRSTHDR(&message);
  const int isRights = head && head->cmsg_level == SOL_SOCKET && head->cmsg_type == SCM_RIGHTS;
  const int found = isRights ? (int)((head->cmsg_len - CMSG_LEN(0)) / sizeof(int)) : 0;
  int own[MOST];
  if (isRights) memcpy(own, CMSG_DATA(head), (size_t)found * sizeof(int));
  if (found != count || message.msg_flags & (MSG_TRUNC | MSG_CTRUNC)) {
    for (int i = 0; i < found; i++) close(own[i]);
    return errno = EBADMSG, -1;
  }
  memcpy(descriptors, own, (size_t)count * sizeof(int));
  return got;
}
