// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

// Preloaded into a program. As soon as a file whose path contains FAULT_NAME has FAULT_AFTER bytes, writing to it fails
// with the error FAULT_ERRNO; if FAULT_SYNC is set, fdatasync fails instead. FAULT_CLOCK moves the wall clock by that
// number of seconds, two to three seconds after its first use. By then the JACK server, into which this library is also
// preloaded, serves its clients: a jump during their connection would end it.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static int is_meant(int fd) {
  char link[64], path[4096];
  const char *name = getenv("FAULT_NAME");
  if (!name) return 0;
  snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
  ssize_t count = readlink(link, path, sizeof path - 1);
  if (count <= 0) return 0;
  path[count] = 0;
  struct stat facts;
  return strstr(path, name) && fstat(fd, &facts) == 0 && facts.st_size >= atol(getenv("FAULT_AFTER"));
}

ssize_t write(int fd, const void *data, size_t length) {
  ssize_t (*real)(int, const void *, size_t) = dlsym(RTLD_NEXT, "write");
  if (!getenv("FAULT_SYNC") && length > 64 && is_meant(fd)) {
    errno = atoi(getenv("FAULT_ERRNO"));
    return -1;
  }
  return real(fd, data, length);
}

int fdatasync(int fd) {
  int (*real)(int) = dlsym(RTLD_NEXT, "fdatasync");
  if (getenv("FAULT_SYNC") && is_meant(fd)) {
    errno = atoi(getenv("FAULT_ERRNO"));
    return -1;
  }
  return real(fd);
}

int clock_gettime(clockid_t clock, struct timespec *time) {
  static int (*real)(clockid_t, struct timespec *);
  static time_t first;
  if (!real) real = dlsym(RTLD_NEXT, "clock_gettime");
  int result = real(clock, time);
  if (result == 0 && clock == CLOCK_REALTIME && getenv("FAULT_CLOCK")) {
    if (!first) first = time->tv_sec;
    if (time->tv_sec > first + 2) time->tv_sec += atol(getenv("FAULT_CLOCK"));
  }
  return result;
}
