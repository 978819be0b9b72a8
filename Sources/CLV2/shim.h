// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

#pragma once
#include <lv2/core/lv2.h>
#include <lv2/urid/urid.h>

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

// Embedded Swift has no text for numbers: the shortest that reads back as the same one. Variadic, so none of Swift's.
static inline int swiftlet_number_text(float value, char *text, int size) {
  int length = 0;
  for (int digits = 1; digits <= 9; digits++) {
    length = snprintf(text, (size_t)size, "%.*g", digits, (double)value);
    if (strtof(text, 0) == value) break;
  }
  return length;
}

// Writes a whole file; 0 where that worked.
static inline int swiftlet_write_file(const char *path, const void *bytes, intptr_t count) {
  FILE *file = fopen(path, "w");
  if (!file) return -1;
  const int is_written = fwrite(bytes, 1, (size_t)count, file) == (size_t)count;
  return fclose(file) == 0 && is_written ? 0 : -1;
}
