// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

// What happens when a plugin crashes, calls exit or does not return. Included by CSwiftletRealtime.h.
//
// Only a program catches crashes: a library that does so would take its program's signals away. The first thread that
// crashes says which plugin it was in, wakes the rescue thread, waits for it for two seconds at most, and ends the
// program. Every other thread that crashes meanwhile waits for that. Handler and waits need no memory and no lock.
#pragma once

struct swiftlet_crash_settings {
  // Where the report goes: the descriptor of standard error.
  int output;
  // Called in the signal handler: before the report, and behind its first line.
  void (*before_report)(void);
  void (*print_last_words)(void);
};

// Catches crashes from now on, and calls of `exit` that swiftlet_exit_is_ours did not announce. Once, in `main`.
void swiftlet_catch_crashes(struct swiftlet_crash_settings settings);
// Has a plugin's crash end the program by the signal, for a core dump, and not by the status 3.
void swiftlet_keep_core(void);
// Says that the program calls `exit` itself, which is nothing to report.
void swiftlet_exit_is_ours(void);

// Waits until a thread has crashed: for the rescue thread, once.
void swiftlet_await_crash(void);
// Says how many takes the rescue thread has finished, and how many it has not; the program ends now.
void swiftlet_rescue_is_over(int finished, int left);
// Whether the program is about to end by a crash. The caller then waits in swiftlet_park.
int swiftlet_has_crashed(void);
// Waits until the program ends.
void swiftlet_park(void) __attribute__((noreturn));

// For a program that reports crashes itself: gives threads that call plugins a stack for signal handlers.
void swiftlet_prepare_places(void);
// Prints where a crash has happened between two texts: "gain.so+0x11a9 (run), called from …". In a signal handler, with what
// that is given. Where the function's name is known, the line is printed again with it.
void swiftlet_print_place(
  int output, const char *before, const char *after, int number, const void *info, const void *context);

// Prints that a call does not return, and that its thread is left behind.
void swiftlet_print_stuck(struct swiftlet_stuck stuck, double seconds);
// Ends the program because of a call that does not return, as if it had crashed. On the watching thread.
void swiftlet_end_stuck(struct swiftlet_stuck stuck, double seconds);
