// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

// Preloaded into a program: writes down each change of a file below the folder in POWER_LOSS_FOLDER, and each fsync, to the
// file POWER_LOSS_LOG. A record is a kind, the length of a path, an offset, the length of data, then path and data.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

struct Record { int64_t kind, path_length, offset, data_length; };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static int log_file(void) {
  static int file = -1;
  if (file < 0 && getenv("POWER_LOSS_LOG")) {
    int (*real)(const char *, int, ...) = dlsym(RTLD_NEXT, "open");
    file = real(getenv("POWER_LOSS_LOG"), O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0600);
  }
  return file;
}

static void note(char kind, int fd, off_t offset, const void *data, size_t length) {
  char link[64], path[4096];
  const char *folder = getenv("POWER_LOSS_FOLDER");
  static const char digits[] = "0123456789";
  char number[16];
  int place = sizeof number - 1;
  number[place] = 0;
  for (int rest = fd; rest > 0 || place == sizeof number - 1; rest /= 10) number[--place] = digits[rest % 10];
  strcpy(link, "/proc/self/fd/");
  strcat(link, number + place);
  ssize_t count = readlink(link, path, sizeof path - 1);
  if (!folder || count <= 0) return;
  path[count] = 0;
  if (strncmp(path, folder, strlen(folder)) != 0) return;
  struct Record record = {kind, count, offset, (int64_t)length};
  struct iovec parts[3] = {{&record, sizeof record}, {path, (size_t)count}, {(void *)data, length}};
  pthread_mutex_lock(&lock);
  if (log_file() >= 0) (void)!writev(log_file(), parts, 3);
  pthread_mutex_unlock(&lock);
}

ssize_t write(int fd, const void *data, size_t length) {
  ssize_t (*real)(int, const void *, size_t) = dlsym(RTLD_NEXT, "write");
  off_t offset = lseek(fd, 0, SEEK_CUR);
  ssize_t written = real(fd, data, length);
  if (written > 0 && offset >= 0) note('w', fd, offset, data, (size_t)written);
  return written;
}

ssize_t pwrite(int fd, const void *data, size_t length, off_t offset) {
  ssize_t (*real)(int, const void *, size_t, off_t) = dlsym(RTLD_NEXT, "pwrite");
  ssize_t written = real(fd, data, length, offset);
  if (written > 0) note('w', fd, offset, data, (size_t)written);
  return written;
}

ssize_t pwrite64(int fd, const void *data, size_t length, off64_t offset) { return pwrite(fd, data, length, offset); }

int ftruncate(int fd, off_t length) {
  int (*real)(int, off_t) = dlsym(RTLD_NEXT, "ftruncate");
  int result = real(fd, length);
  if (result == 0) note('t', fd, length, "", 0);
  return result;
}

int fsync(int fd) {
  int (*real)(int) = dlsym(RTLD_NEXT, "fsync");
  int result = real(fd);
  if (result == 0) note('s', fd, 0, "", 0);
  return result;
}

int fdatasync(int fd) {
  int (*real)(int) = dlsym(RTLD_NEXT, "fdatasync");
  int result = real(fd);
  if (result == 0) note('s', fd, 0, "", 0);
  return result;
}
