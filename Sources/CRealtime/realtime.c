// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

#include "CSwiftletRealtime.h"

#include <pthread.h>
#include <time.h>

static double ticks_per_second = 0;
static pthread_once_t once = PTHREAD_ONCE_INIT;

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

double swiftlet_ticks_per_second(void) {
  pthread_once(&once, calibrate);
  return ticks_per_second;
}
