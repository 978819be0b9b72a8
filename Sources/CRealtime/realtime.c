// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

#include "CSwiftletRealtime.h"

#include <pthread.h>
#include <time.h>

intptr_t swiftlet_closings = 0;
int swiftlet_float_mode_changes = 0;

static double ticks_per_second = 0;
static uint64_t ticks_per_stamp = 1;
static pthread_once_t once = PTHREAD_ONCE_INIT, stamp_once = PTHREAD_ONCE_INIT;

uintptr_t rt_thread(void) { return (uintptr_t)pthread_self(); }

static double monotonic_seconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

static void calibrate(void) {
  double start = monotonic_seconds(), end;
  uint64_t first = rt_ticks();
  const struct timespec pause = {0, 20 * 1000 * 1000};
  nanosleep(&pause, 0);
  uint64_t last = rt_ticks();
  end = monotonic_seconds();
  ticks_per_second = end > start && last > first ? (double)(last - first) / (end - start) : 1e9;
}

static void calibrate_stamp(void) {
  // Takes the minimum of many measurements, since the thread may be preempted.
  uint64_t least = UINT64_MAX;
  for (int round = 0; round < 100; round++) {
    uint64_t begin = rt_ticks(), now = begin;
    for (int stamp = 0; stamp < 10; stamp++) now = rt_ticks();
    if (now - begin < least) least = now - begin;
  }
  ticks_per_stamp = least / 10 > 0 ? least / 10 : 1;
}

double swiftlet_ticks_per_second(void) {
  pthread_once(&once, calibrate);
  return ticks_per_second;
}

uint64_t swiftlet_ticks_per_stamp(void) {
  pthread_once(&stamp_once, calibrate_stamp);
  return ticks_per_stamp;
}
