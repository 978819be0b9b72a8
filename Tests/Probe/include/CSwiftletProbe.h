// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

// Counts what Swift code asks of its runtime on one thread: a witness that the audio thread asks nothing.
//
// The functions that compiled code calls are defined here a second time, in the program itself,
// where the linker finds them first; each counts and calls the runtime's own. (The runtime's hooks
// for instruments would see as much, but in Swift 6.3 they follow strings of nine to fifteen
// letters as if they were objects.)
#pragma once

// What a thread has asked for since `probe_begin`.
typedef struct {
  long retains, releases, allocations;
  // Checks of exclusive access to a class's variable, and values made at first use, behind a lock.
  long accesses, onces;
} probe_counts;

// Counts from zero on this thread, until `probe_end`.
void probe_begin(void);
probe_counts probe_end(void);

// How many bytes `malloc` has given out and not got back, in all threads.
long probe_memory_in_use(void);
