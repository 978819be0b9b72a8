// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

// The text of a crash report, for a signal handler: no memory, no lock, and of the library only `write`, `open` and
// `read`.
#pragma once

#include "CSwiftletRealtime.h"

// A location in a mapped file.
struct swiftlet_location {
  char file[512];
  uintptr_t offset;
  int is_known;
};

struct swiftlet_crash {
  // The signal; 0 for a call of `exit`.
  int signal;
  int is_exit, exit_status;
  // The duration of a call that does not return, in tenths of a second; 0 for a crash.
  uint32_t stuck_tenths;
  struct swiftlet_call call;
  const struct swiftlet_note *note;
  // The registers, and the address whose access faulted.
  uintptr_t code, stack, address;
  int has_address, is_overflow;
  // Whether a plugin's code was running, on the host's threads or its own.
  int is_plugins;
  // The location of the instruction, and, if it is outside the plugin's library, of the caller within it.
  struct swiftlet_location at, caller;
};

// Resolves the registers of a crash to locations.
void swiftlet_locate_crash(struct swiftlet_crash *crash);

void swiftlet_print_crash(int output, const struct swiftlet_crash *crash);
// Prints the locations of a crash, with the function's name, between two texts. Prints no byte that JSON escapes.
void swiftlet_print_locations(
  int output, const char *before, const struct swiftlet_crash *crash, const char *function, const char *after);
// Prints that a call does not return, for a program that continues.
void swiftlet_print_left_thread(int output, const struct swiftlet_crash *crash);
// Prints how many takes are finished and how many are not; -1 for unknown.
void swiftlet_print_rescue(int output, int finished, int left);
void swiftlet_print_advice(int output, const struct swiftlet_crash *crash, int keeps_core);
