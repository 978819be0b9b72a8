// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

#pragma once
#include <lv2/core/lv2.h>
#include <lv2/state/state.h>
#include <lv2/urid/urid.h>
#include <lv2/worker/worker.h>

#include <fcntl.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

// Writes the shortest decimal text that reads back as the same float. Embedded Swift cannot format floats, and Swift
// cannot call the variadic snprintf.
static inline int swiftlet_number_text(float value, char *text, int size) {
  int length = 0;
  for (int digits = 1; digits <= 9; digits++) {
    length = snprintf(text, (size_t)size, "%.*g", digits, (double)value);
    if (strtof(text, 0) == value) break;
  }
  return length;
}

// Writes a whole file. Returns 0 on success, otherwise -1.
static inline int swiftlet_write_file(const char *path, const void *bytes, intptr_t count) {
  FILE *file = fopen(path, "w");
  if (!file) return -1;
  const int is_written = fwrite(bytes, 1, (size_t)count, file) == (size_t)count;
  return fclose(file) == 0 && is_written ? 0 : -1;
}

// Reads a whole file into memory to be freed by swiftlet_free. Returns null if the file cannot be read, is no regular
// file, or is longer than `most` bytes.
static inline void *swiftlet_read_file(const char *path, intptr_t most, intptr_t *count) {
  // O_NONBLOCK, since opening a FIFO without a writer would block.
  const int file = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
  if (file < 0) return 0;
  // lseek instead of fstat, whose symbol is missing in the oldest C libraries that the bundle supports.
  const off_t size = lseek(file, 0, SEEK_END);
  char *bytes = 0;
  intptr_t length = 0;
  if (size > 0 && size <= most && lseek(file, 0, SEEK_SET) == 0) {
    bytes = malloc((size_t)size);
    while (bytes && length < size) {
      const ssize_t more = read(file, bytes + length, (size_t)(size - length));
      if (more <= 0) break;
      length += more;
    }
  }
  close(file);
  *count = length;
  return bytes;
}
static inline void swiftlet_free(void *memory) { free(memory); }

// A mutex for threads that may block.
static inline void *swiftlet_make_lock(void) {
  pthread_mutex_t *lock = malloc(sizeof *lock);
  if (lock) pthread_mutex_init(lock, 0);
  return lock;
}
static inline void swiftlet_free_lock(void *lock) {
  if (lock) pthread_mutex_destroy(lock);
  free(lock);
}
static inline void swiftlet_lock(void *lock) { if (lock) pthread_mutex_lock(lock); }
static inline void swiftlet_unlock(void *lock) { if (lock) pthread_mutex_unlock(lock); }

// Atomically stores a pointer and returns the previous one.
static inline void *swiftlet_exchange(void **address, void *value) {
  return __atomic_exchange_n(address, value, __ATOMIC_ACQ_REL);
}
static inline int32_t swiftlet_exchange_number(int32_t *address, int32_t value) {
  return __atomic_exchange_n(address, value, __ATOMIC_ACQ_REL);
}
