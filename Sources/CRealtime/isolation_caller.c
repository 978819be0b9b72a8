// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

#define _GNU_SOURCE
#include "isolation_caller.h"
#include "CSwiftletRealtime.h"

#include <sched.h>
#include <sys/syscall.h>
#include <unistd.h>

_Thread_local struct swiftlet_caller swiftlet_caller __attribute__((tls_model("initial-exec"))) = {.kept_on = -1};

// Returns the thread's affinity mask; 0 if it includes processors beyond the first 64.
static uint64_t usual_processors(void) {
  cpu_set_t set;
  uint64_t processors = 0;
  if (sched_getaffinity(0, sizeof set, &set) != 0) return 0;
  for (int number = 0; number < CPU_SETSIZE; number++) {
    if (!CPU_ISSET(number, &set)) continue;
    if (number >= 64) return 0;
    processors |= 1ull << number;
  }
  return processors;
}

void swiftlet_identify_caller(void) {
  if (swiftlet_caller.number != 0) return;
  swiftlet_caller.number = (int32_t)syscall(SYS_gettid);
  const int policy = sched_getscheduler(0) & ~SCHED_RESET_ON_FORK;
  swiftlet_caller.is_realtime = policy == SCHED_FIFO || policy == SCHED_RR;
  swiftlet_caller.processors = usual_processors();
  // With a priority below 2, the child's could not be lower, and the child could keep this thread past its deadline.
  struct sched_param rights;
  if (swiftlet_caller.is_realtime && (sched_getparam(0, &rights) != 0 || rights.sched_priority < 2)) {
    swiftlet_caller.processors = 0;
  }
}

int32_t swiftlet_stay_on_processor(void) {
  if (swiftlet_caller.kept_on >= 0) return swiftlet_caller.kept_on;
  const int32_t processor = sched_getcpu();
  const uint64_t one = processor >= 0 && processor < 64 ? 1ull << processor : 0;
  if ((swiftlet_caller.processors & one) != 0 && syscall(SYS_sched_setaffinity, 0, sizeof one, &one) >= 0) {
    swiftlet_caller.kept_on = processor;
  }
  return processor;
}

void swiftlet_leave_processor(void) {
  if (swiftlet_caller.kept_on < 0) return;
  swiftlet_caller.kept_on = -1;
  // Waived like the wait for the child: the call does not block.
  rt_third_party_enter();
  syscall(SYS_sched_setaffinity, 0, sizeof swiftlet_caller.processors, &swiftlet_caller.processors);
  rt_third_party_exit();
}
