// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

// The threads that call isolated plugins: their cached properties, and the processor that each stays on during a cycle.
#pragma once

#include <stdint.h>

// Cached properties of a thread that calls isolated plugins.
struct swiftlet_caller {
  int32_t number;
  int is_realtime;
  // The affinity mask of the thread, one bit for each processor; 0 if the thread must not be pinned.
  uint64_t processors;
  // The processor to which the thread is pinned until the end of the cycle; −1 while it is not pinned.
  int32_t kept_on;
};

// The properties of this thread. The TLS model is initial-exec, since a dynamic TLS lookup could take a lock.
extern _Thread_local struct swiftlet_caller swiftlet_caller __attribute__((tls_model("initial-exec")));

// Initializes the thread's cached properties, at its first call.
void swiftlet_identify_caller(void);

// Pins the thread to its processor and returns that. Otherwise the kernel moves it to another processor than the
// child's when the child wakes it, and the next block takes ten times as long.
int32_t swiftlet_stay_on_processor(void);
