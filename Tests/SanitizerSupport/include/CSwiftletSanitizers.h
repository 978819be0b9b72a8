// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC
//
// C functions for the tests under ThreadSanitizer, AddressSanitizer and LeakSanitizer.
#ifndef CSWIFTLET_SANITIZERS_H
#define CSWIFTLET_SANITIZERS_H

#include <stddef.h>

// Writes one byte past a heap block of `length` bytes: AddressSanitizer must report it.
void swiftlet_planted_overflow(size_t length);

// Allocates `length` bytes and does not free them: LeakSanitizer must report them.
void swiftlet_planted_leak(size_t length);

#endif
