// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

// The words of a crash, for a signal handler: no memory, no lock, no library but `write`, `open` and `read`.
#pragma once

#include "CSwiftletRealtime.h"

// A place in a mapped file.
struct swiftlet_location {
  char file[512];
  uintptr_t offset;
  int is_known;
};

struct swiftlet_crash {
  // The signal, or 0 for a call of `exit`.
  int signal;
  int is_exit, exit_status;
  // How long the call has lasted that does not return, in tenths of a second; 0 for a crash.
  uint32_t stuck_tenths;
  struct swiftlet_call call;
  const struct swiftlet_note *note;
  // The registers, and the address that could not be read or written.
  uintptr_t code, stack, address;
  int has_address, is_overflow;
  // Whether a plugin's code was running, its own threads' included.
  int is_plugins;
  // The instruction, and the place in the plugin's library that called it where that is another one.
  struct swiftlet_location at, caller;
};

// Finds out what the registers of a crash mean.
void swiftlet_locate_crash(struct swiftlet_crash *crash);

void swiftlet_print_crash(int output, const struct swiftlet_crash *crash);
// Prints the places of a crash between two texts, the function's name with them; without bytes that JSON escapes.
void swiftlet_print_locations(
  int output, const char *before, const struct swiftlet_crash *crash, const char *function, const char *after);
// Prints that a call lasts, for a program that goes on.
void swiftlet_print_left_thread(int output, const struct swiftlet_crash *crash);
// Prints what has become of the takes: how many are finished, and how many are not; -1 where that is not known.
void swiftlet_print_rescue(int output, int finished, int left);
void swiftlet_print_advice(int output, const struct swiftlet_crash *crash, int keeps_core);
