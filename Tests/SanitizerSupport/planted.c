// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

#include "CSwiftletSanitizers.h"

#include <stdlib.h>

void swiftlet_planted_overflow(size_t length) {
  volatile char *memory = malloc(length);
  if (!memory) return;
  memory[length] = 1;
  free((void *)memory);
}

void swiftlet_planted_leak(size_t length) {
  volatile char *memory = malloc(length);
  if (memory) memory[0] = 1;
}
