// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

// Handling of a plugin that crashes, calls exit or does not return. Included by CSwiftletRealtime.h.
//
// Only a program catches crashes: a library that did so would take its program's signals away. The first thread that
// crashes reports which plugin it was in, wakes the rescue thread, waits for it for two seconds at most, and ends the
// program. Every other thread that crashes in the meantime waits for that. The handler and the waits allocate no
// memory and take no lock.
#pragma once

struct swiftlet_crash_settings {
  // The descriptor to which the report is written: that of standard error.
  int output;
  // Callbacks in the signal handler: before the report, and after its first line.
  void (*before_report)(void);
  void (*after_first_line)(void);
};

// Starts catching crashes, and calls of `exit` that were not announced. Call it once, in `main`.
void swiftlet_catch_crashes(struct swiftlet_crash_settings settings);
// Makes a plugin's crash end the program by the signal, for a core dump, instead of with status 3.
void swiftlet_keep_core(void);
// Announces that the program calls `exit` itself, so that the call is not reported.
void swiftlet_announce_exit(void);

// Waits until a thread has crashed. Called once, by the rescue thread.
void swiftlet_await_crash(void);
// Reports how many takes the rescue thread has finished and how many it has not. The program then ends.
void swiftlet_rescue_is_over(int finished, int left);
// Returns whether the program is about to end because of a crash. The caller then waits in swiftlet_park.
int swiftlet_has_crashed(void);
// Waits until the program ends.
void swiftlet_park(void) __attribute__((noreturn));

// Gives threads that call plugins an alternate signal stack, for a program that reports crashes itself.
void swiftlet_prepare_locations(void);
// Prints the location of a crash between two texts, such as "gain.so+0x11a9 (run), called from …". Call it in a signal
// handler with the handler's arguments. If the function's name is known, prints the line again with the name.
void swiftlet_print_location(
  int output, const char *before, const char *after, int number, const void *info, const void *context);

// Prints that a call does not return and that its thread is abandoned.
void swiftlet_print_stuck(struct swiftlet_stuck stuck, double seconds);
// Ends the program because a call does not return, as if the plugin had crashed. Called by the watching thread.
void swiftlet_end_stuck(struct swiftlet_stuck stuck, double seconds);
