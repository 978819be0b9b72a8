// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

#define _GNU_SOURCE
#include "CSwiftletSystem.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/openat2.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

int swiftlet_rename_to_free_name(int old_folder, const char *old_name, int new_folder, const char *new_name) {
  return renameat2(old_folder, old_name, new_folder, new_name, RENAME_NOREPLACE) == 0 ? 0 : errno;
}

int swiftlet_exchange_names(int folder, const char *one, const char *other) {
  return renameat2(folder, one, folder, other, RENAME_EXCHANGE) == 0 ? 0 : errno;
}

int swiftlet_open_folder_beneath(int folder, const char *path) {
  struct open_how how = {
    .flags = O_RDONLY | O_DIRECTORY | O_CLOEXEC, .resolve = RESOLVE_BENEATH | RESOLVE_NO_MAGICLINKS};
  long found = syscall(SYS_openat2, folder, path, &how, sizeof how);
  return found < 0 ? -errno : (int)found;
}

int swiftlet_make_memory_file(const char *purpose) {
  int made = memfd_create(purpose, MFD_CLOEXEC);
  return made < 0 ? -errno : made;
}

int swiftlet_new_memory(uint64_t size) {
  const int file = memfd_create("swiftlet", MFD_CLOEXEC | MFD_ALLOW_SEALING);
  if (file < 0) return -1;
  if (ftruncate(file, (off_t)size) == 0 && fcntl(file, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW) == 0) return file;
  const int error = errno;
  close(file);
  errno = error;
  return -1;
}

int swiftlet_seal_memory(int file) { return fcntl(file, F_ADD_SEALS, F_SEAL_FUTURE_WRITE | F_SEAL_SEAL); }
