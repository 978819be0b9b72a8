// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

// Preloaded into a program: logs each change of a file below the folder POWER_LOSS_FOLDER, each change of a name there,
// and each fsync to the file POWER_LOSS_LOG. A record has a kind, the file's inode number, the length of a path, an
// offset, the length of data, then path and data. Kinds: w written, t truncated, s synced (the offset is the end of the
// log at the start of the call), c created, l linked and m renamed (the data is the new path), u unlinked.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

#define REAL(result, name, ...) result (*real)(__VA_ARGS__) = (result (*)(__VA_ARGS__))dlsym(RTLD_NEXT, name)

struct Record { int64_t kind, number, path_length, offset, data_length; };

// Recursive. Logged changes happen while the lock is held, so that the log has the order of the changes.
static pthread_mutex_t lock = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;

static int log_file(void) {
  static int file = -1;
  if (file < 0 && getenv("POWER_LOSS_LOG")) {
    REAL(int, "open", const char *, int, ...);
    file = real(getenv("POWER_LOSS_LOG"), O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0600);
  }
  return file;
}

static int is_below(const char *path) {
  const char *folder = getenv("POWER_LOSS_FOLDER");
  return folder && strncmp(path, folder, strlen(folder)) == 0;
}

static void note(char kind, int64_t number, const char *path, off_t offset, const void *data, size_t length) {
  struct Record record = {kind, number, (int64_t)strlen(path), offset, (int64_t)length};
  struct iovec parts[3] = {{&record, sizeof record}, {(void *)path, strlen(path)}, {(void *)data, length}};
  if (log_file() >= 0) (void)!writev(log_file(), parts, 3);
}

// The current path of an open file; false if it is not below the folder.
static int path_of(int fd, char *path, size_t size) {
  char link[64];
  snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
  ssize_t count = readlink(link, path, size - 1);
  if (count <= 0) return 0;
  path[count] = 0;
  return is_below(path);
}

// The full path of a name in an open folder; false if it is not below the folder.
static int whole_path(int folder, const char *name, char *path, size_t size) {
  if (name[0] == '/') {
    snprintf(path, size, "%s", name);
  } else {
    char start[4096] = "";
    if (folder == AT_FDCWD) {
      if (!getcwd(start, sizeof start)) return 0;
    } else {
      path_of(folder, start, sizeof start);
    }
    while (strncmp(name, "./", 2) == 0) name += 2;
    snprintf(path, size, "%s/%s", start, name);
  }
  return is_below(path);
}

static int64_t number_at(const char *path) {
  struct stat facts;
  return lstat(path, &facts) == 0 ? (int64_t)facts.st_ino : 0;
}

static void note_file(char kind, int fd, off_t offset, const void *data, size_t length) {
  char path[8192];
  struct stat facts;
  if (path_of(fd, path, sizeof path) && fstat(fd, &facts) == 0) {
    note(kind, (int64_t)facts.st_ino, path, offset, data, length);
  }
}

ssize_t write(int fd, const void *data, size_t length) {
  REAL(ssize_t, "write", int, const void *, size_t);
  pthread_mutex_lock(&lock);
  off_t offset = lseek(fd, 0, SEEK_CUR);
  pthread_mutex_unlock(&lock);
  // A write to a pipe may block, so the lock is not held.
  if (offset < 0) return real(fd, data, length);
  pthread_mutex_lock(&lock);
  ssize_t written = real(fd, data, length);
  if (written > 0) note_file('w', fd, offset, data, (size_t)written);
  pthread_mutex_unlock(&lock);
  return written;
}

ssize_t pwrite(int fd, const void *data, size_t length, off_t offset) {
  REAL(ssize_t, "pwrite", int, const void *, size_t, off_t);
  pthread_mutex_lock(&lock);
  ssize_t written = real(fd, data, length, offset);
  if (written > 0) note_file('w', fd, offset, data, (size_t)written);
  pthread_mutex_unlock(&lock);
  return written;
}

ssize_t pwrite64(int fd, const void *data, size_t length, off64_t offset) { return pwrite(fd, data, length, offset); }

int ftruncate(int fd, off_t length) {
  REAL(int, "ftruncate", int, off_t);
  pthread_mutex_lock(&lock);
  int result = real(fd, length);
  if (result == 0) note_file('t', fd, length, "", 0);
  pthread_mutex_unlock(&lock);
  return result;
}

// Data that was written before the call is safe, data that is written during the call is not.
static int synced(int fd, const char *name) {
  REAL(int, name, int);
  char path[8192];
  struct stat facts;
  int is_noted = path_of(fd, path, sizeof path) && fstat(fd, &facts) == 0;
  off_t begin = lseek(log_file(), 0, SEEK_END);
  int result = real(fd);
  pthread_mutex_lock(&lock);
  if (result == 0 && is_noted) note('s', (int64_t)facts.st_ino, path, begin, "", 0);
  pthread_mutex_unlock(&lock);
  return result;
}

int fsync(int fd) { return synced(fd, "fsync"); }
int fdatasync(int fd) { return synced(fd, "fdatasync"); }

int openat(int folder, const char *name, int flags, ...) {
  va_list rest;
  va_start(rest, flags);
  mode_t mode = (flags & (O_CREAT | O_TMPFILE)) ? (mode_t)va_arg(rest, int) : 0;
  va_end(rest);
  REAL(int, "openat", int, const char *, int, ...);
  if (!(flags & O_CREAT)) return real(folder, name, flags, mode);
  char path[8192];
  pthread_mutex_lock(&lock);
  int is_noted = whole_path(folder, name, path, sizeof path);
  int file = real(folder, name, flags, mode);
  if (file >= 0 && is_noted) {
    note('c', number_at(path), path, 0, "", 0);
    if (flags & O_TRUNC) note('t', number_at(path), path, 0, "", 0);
  }
  pthread_mutex_unlock(&lock);
  return file;
}

int openat64(int folder, const char *name, int flags, ...) {
  va_list rest;
  va_start(rest, flags);
  mode_t mode = (flags & (O_CREAT | O_TMPFILE)) ? (mode_t)va_arg(rest, int) : 0;
  va_end(rest);
  return openat(folder, name, flags, mode);
}

int open(const char *name, int flags, ...) {
  va_list rest;
  va_start(rest, flags);
  mode_t mode = (flags & (O_CREAT | O_TMPFILE)) ? (mode_t)va_arg(rest, int) : 0;
  va_end(rest);
  return openat(AT_FDCWD, name, flags, mode);
}

int open64(const char *name, int flags, ...) {
  va_list rest;
  va_start(rest, flags);
  mode_t mode = (flags & (O_CREAT | O_TMPFILE)) ? (mode_t)va_arg(rest, int) : 0;
  va_end(rest);
  return openat(AT_FDCWD, name, flags, mode);
}

int renameat2(int old_folder, const char *old_name, int new_folder, const char *new_name, unsigned flags) {
  REAL(int, "renameat2", int, const char *, int, const char *, unsigned);
  char old_path[8192], new_path[8192];
  pthread_mutex_lock(&lock);
  int is_noted = whole_path(old_folder, old_name, old_path, sizeof old_path) &
                 whole_path(new_folder, new_name, new_path, sizeof new_path);
  int result = real(old_folder, old_name, new_folder, new_name, flags);
  if (result == 0 && is_noted) note('m', number_at(new_path), old_path, 0, new_path, strlen(new_path));
  pthread_mutex_unlock(&lock);
  return result;
}

int renameat(int old_folder, const char *old_name, int new_folder, const char *new_name) {
  return renameat2(old_folder, old_name, new_folder, new_name, 0);
}

int rename(const char *old_name, const char *new_name) { return renameat2(AT_FDCWD, old_name, AT_FDCWD, new_name, 0); }

int linkat(int old_folder, const char *old_name, int new_folder, const char *new_name, int flags) {
  REAL(int, "linkat", int, const char *, int, const char *, int);
  char path[8192];
  pthread_mutex_lock(&lock);
  int is_noted = whole_path(new_folder, new_name, path, sizeof path);
  int result = real(old_folder, old_name, new_folder, new_name, flags);
  if (result == 0 && is_noted) note('l', number_at(path), path, 0, path, strlen(path));
  pthread_mutex_unlock(&lock);
  return result;
}

int link(const char *old_name, const char *new_name) { return linkat(AT_FDCWD, old_name, AT_FDCWD, new_name, 0); }

int unlinkat(int folder, const char *name, int flags) {
  REAL(int, "unlinkat", int, const char *, int);
  char path[8192];
  pthread_mutex_lock(&lock);
  int is_noted = !(flags & AT_REMOVEDIR) && whole_path(folder, name, path, sizeof path);
  int64_t number = is_noted ? number_at(path) : 0;
  int result = real(folder, name, flags);
  if (result == 0 && is_noted) note('u', number, path, 0, "", 0);
  pthread_mutex_unlock(&lock);
  return result;
}

int unlink(const char *name) { return unlinkat(AT_FDCWD, name, 0); }
