// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

// Counts the runtime calls of Swift code on one thread, to show that the audio thread makes none.
//
// The functions that compiled code calls are defined a second time in the program, where the linker finds them first.
// Each counts and calls the runtime's function. (The runtime's instrumentation hooks would suffice, but in Swift 6.3
// they treat strings of nine to fifteen letters as objects.)
#pragma once

// The runtime calls of a thread since `probe_begin`.
typedef struct {
  long retains, releases, allocations;
  // `accesses`: checks of exclusive access to a class's variable. `onces`: lazy initializations, which take a lock.
  long accesses, onces;
} probe_counts;

// Starts counting from zero on this thread, until `probe_end`.
void probe_begin(void);
probe_counts probe_end(void);

// The bytes that `malloc` has allocated and that have not been freed, in all threads.
long probe_memory_in_use(void);
