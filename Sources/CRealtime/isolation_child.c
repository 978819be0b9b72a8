// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

// The child's side: runs in the process that hosts isolated plugins.

#define _GNU_SOURCE
#include "CSwiftletRealtime.h"
#include "futex.h"

#include <linux/futex.h>
#include <sched.h>
#include <sys/syscall.h>
#include <unistd.h>

uint32_t swiftlet_await_order(
  const struct swiftlet_isolated_order *order, const struct swiftlet_isolated_answer *answer) {
  for (;;) {
    // Reads the bell before the order: an order given after this read changes the bell, so that the wait below
    // returns.
    const uint32_t bell = __atomic_load_n(&answer->bell, __ATOMIC_ACQUIRE);
    const uint32_t seen = __atomic_load_n(&order->order_number, __ATOMIC_ACQUIRE);
    if (seen != __atomic_load_n(&answer->order_number, __ATOMIC_ACQUIRE) && !order->is_on_line) return seen;
    syscall(SYS_futex, &answer->bell, FUTEX_WAIT, bell, NULL, NULL, 0);
  }
}

uint32_t swiftlet_await_line(struct swiftlet_isolated_line *line, uint32_t bell, uint32_t *plugin_number) {
  for (;;) {
    uint32_t seen = __atomic_load_n(&line->bell, __ATOMIC_ACQUIRE);
    if (seen == bell) {
      // Sets the flag before the second read: a host that rings after that read sees that it must wake this thread.
      __atomic_store_n(&line->is_asleep, 1, __ATOMIC_SEQ_CST);
      seen = __atomic_load_n(&line->bell, __ATOMIC_SEQ_CST);
      if (seen == bell) syscall(SYS_futex, &line->bell, FUTEX_WAIT, bell, NULL, NULL, 0);
      __atomic_store_n(&line->is_asleep, 0, __ATOMIC_SEQ_CST);
      if (seen == bell) continue;
    }
    *plugin_number = __atomic_load_n(&line->plugin_number, __ATOMIC_RELAXED);
    return seen;
  }
}

void swiftlet_give_answer(struct swiftlet_isolated_answer *answer, uint32_t order_number) {
  __atomic_store_n(&answer->order_number, order_number, __ATOMIC_RELEASE);
  wake(&answer->order_number);
}

void swiftlet_follow(const struct swiftlet_isolated_order *order, int32_t *thread, int32_t *processor) {
  if (order->processor != *processor && order->processor >= 0) {
    *processor = order->processor;
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(*processor, &one);
    sched_setaffinity(0, sizeof one, &one);
  }
  if (order->thread != *thread) {
    *thread = order->thread;
    struct sched_param rights;
    const int policy = sched_getscheduler(*thread);
    if (policy < 0 || sched_getparam(*thread, &rights) != 0) return;
    // One less: both threads run on one processor, and the host must be able to preempt the child at the timeout.
    if (rights.sched_priority > 1) rights.sched_priority--;
    sched_setscheduler(0, policy, &rights);
  }
}
