// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

// The C calls that are blessed for the audio thread. Each line has its reason; nothing else belongs here.
#pragma once

#include <math.h>
#include <stdint.h>
#include <string.h>

#define RT_SAFE                                                                                              \
  __attribute__((swift_attr("@_noLocks"), swift_attr("@_noAllocation"))) static inline __attribute__((always_inline))

// Pure and bounded; Swift cannot know that of libm.
RT_SAFE float rt_sin(float x) { return sinf(x); }
RT_SAFE float rt_cos(float x) { return cosf(x); }
RT_SAFE float rt_exp(float x) { return expf(x); }
RT_SAFE float rt_log10(float x) { return log10f(x); }
RT_SAFE float rt_pow(float x, float y) { return powf(x, y); }
RT_SAFE float rt_tanh(float x) { return tanhf(x); }
RT_SAFE float rt_sqrt(float x) { return sqrtf(x); }
RT_SAFE float rt_floor(float x) { return floorf(x); }
RT_SAFE double rt_sin_double(double x) { return sin(x); }
RT_SAFE double rt_cos_double(double x) { return cos(x); }
RT_SAFE double rt_tan_double(double x) { return tan(x); }
RT_SAFE double rt_sinh_double(double x) { return sinh(x); }
RT_SAFE double rt_exp_double(double x) { return exp(x); }
RT_SAFE double rt_pow_double(double x, double y) { return pow(x, y); }
RT_SAFE double rt_sqrt_double(double x) { return sqrt(x); }
RT_SAFE double rt_log10_double(double x) { return log10(x); }
RT_SAFE double rt_atan2_double(double y, double x) { return atan2(y, x); }
RT_SAFE double rt_floor_double(double x) { return floor(x); }

// Bounded by its argument; Swift's own bulk copies are generic and not visible to the checks.
RT_SAFE void rt_copy_floats(float *to, const float *from, intptr_t count) {
  memmove(to, from, (size_t)count * sizeof(float));
}
RT_SAFE void rt_clear_floats(float *to, intptr_t count) { memset(to, 0, (size_t)count * sizeof(float)); }
// A float that another thread reads or writes meanwhile. A plain move on the machines we know, but by C's
// letter, and Swift's, a plain store would be a data race.
RT_SAFE void rt_store_float(float *to, float value) { __atomic_store(to, &value, __ATOMIC_RELAXED); }
RT_SAFE float rt_load_float(const float *from) {
  float value;
  __atomic_load(from, &value, __ATOMIC_RELAXED);
  return value;
}
// A value of `size` bytes that one thread writes, word by word, while others read it. Release and acquire order each word
// against the counter that tells the readers whether they have read a whole value. No byte behind the value is touched:
// its last word may be a part of one.
RT_SAFE void rt_publish_words(uint64_t *to, const void *from, intptr_t size) {
  const char *bytes = (const char *)from;
  for (; size >= 8; size -= 8, bytes += 8, to++) {
    uint64_t word;
    memcpy(&word, bytes, 8);
    __atomic_store_n(to, word, __ATOMIC_RELEASE);
  }
  if (size > 0) {
    uint64_t word = 0;
    memcpy(&word, bytes, (size_t)size);
    __atomic_store_n(to, word, __ATOMIC_RELEASE);
  }
}
RT_SAFE void rt_read_words(void *to, const uint64_t *from, intptr_t size) {
  char *bytes = (char *)to;
  for (; size > 0; size -= 8, bytes += 8, from++) {
    uint64_t word = __atomic_load_n(from, __ATOMIC_ACQUIRE);
    if (size >= 8) {
      memcpy(bytes, &word, 8);
    } else {
      memcpy(bytes, &word, (size_t)size);
    }
  }
}
RT_SAFE void rt_copy_bytes(void *to, const void *from, intptr_t count) { memmove(to, from, (size_t)count); }

// How long a text is, as far as it is looked at.
RT_SAFE intptr_t rt_length(const char *text, intptr_t most) { return (intptr_t)strnlen(text, (size_t)most); }

// Which thread this is: a register read. Not inline, since pthread.h would be in all that imports this.
__attribute__((swift_attr("@_noLocks"), swift_attr("@_noAllocation"))) uintptr_t rt_thread(void);

// A hint to the processor that cannot fail: while one node runs, the memory of the next is on its way.
RT_SAFE void rt_prefetch(const void *address) { __builtin_prefetch(address); }

// A time stamp for attributing cycle time to nodes: a register read, neither call nor kernel.
// Units are the machine's own; `swiftlet_ticks_per_second` calibrates them.
RT_SAFE uint64_t rt_ticks(void) {
#if defined(__x86_64__) || defined(__i386__)
  return __builtin_ia32_rdtsc();
#elif defined(__aarch64__)
  uint64_t value;
  __asm__ volatile("mrs %0, cntvct_el0" : "=r"(value));
  return value;
#else
  return 0;
#endif
}

// Denormals cost a hundred times a normal operation. Returns the setting before, for rt_restore_denormals.
RT_SAFE uint64_t rt_flush_denormals(void) {
#if defined(__x86_64__) || defined(__i386__)
  uint32_t before = __builtin_ia32_stmxcsr();
  // Flush to zero, denormals are zero: mostly they are already, and writing takes longer than reading.
  if ((before & 0x8040) != 0x8040) __builtin_ia32_ldmxcsr(before | 0x8040);
  return before;
#elif defined(__aarch64__)
  uint64_t before;
  __asm__ volatile("mrs %0, fpcr" : "=r"(before));
  __asm__ volatile("msr fpcr, %0" ::"r"(before | (1ull << 24)));
  return before;
#else
  return 0;
#endif
}
RT_SAFE void rt_restore_denormals(uint64_t before) {
#if defined(__x86_64__) || defined(__i386__)
  if ((before & 0x8040) != 0x8040) __builtin_ia32_ldmxcsr((uint32_t)before);
#elif defined(__aarch64__)
  __asm__ volatile("msr fpcr, %0" ::"r"(before));
#endif
}

// How a thread computes with floats: rounding, denormals, traps; none of what has happened.
#if defined(__x86_64__) || defined(__i386__)
#define RT_FLOAT_MODE 0xFFC0ull
#elif defined(__aarch64__)
#define RT_FLOAT_MODE 0x07C09F00ull
#endif
RT_SAFE uint64_t rt_float_mode(void) {
#if defined(__x86_64__) || defined(__i386__)
  return __builtin_ia32_stmxcsr() & RT_FLOAT_MODE;
#elif defined(__aarch64__)
  uint64_t mode;
  __asm__ volatile("mrs %0, fpcr" : "=r"(mode));
  return mode & RT_FLOAT_MODE;
#else
  return 0;
#endif
}
// Has the thread compute so again, and returns 1 if it did not. To write costs more than to look.
RT_SAFE int rt_set_float_mode(uint64_t mode) {
#if defined(__x86_64__) || defined(__i386__)
  const uint32_t now = __builtin_ia32_stmxcsr();
  if ((now & RT_FLOAT_MODE) == mode) return 0;
  __builtin_ia32_ldmxcsr((now & ~(uint32_t)RT_FLOAT_MODE) | (uint32_t)mode);
  return 1;
#elif defined(__aarch64__)
  uint64_t now;
  __asm__ volatile("mrs %0, fpcr" : "=r"(now));
  if ((now & RT_FLOAT_MODE) == mode) return 0;
  __asm__ volatile("msr fpcr, %0" ::"r"((now & ~RT_FLOAT_MODE) | mode));
  return 1;
#else
  return 0;
#endif
}
// Whether a plugin of this process has ever left the float mode changed.
extern int swiftlet_float_mode_changes;
// Behind a foreign plugin's code, which may leave that changed: rounds to nearest again, flushes denormals and
// does not trap, so that the next plugin sounds as ever.
RT_SAFE void rt_mend_float_mode(void) {
#if defined(__x86_64__) || defined(__i386__)
  const uint64_t mode = 0x9FC0;
#elif defined(__aarch64__)
  const uint64_t mode = 1ull << 24;
#else
  const uint64_t mode = 0;
#endif
  if (rt_set_float_mode(mode)) __atomic_store_n(&swiftlet_float_mode_changes, 1, __ATOMIC_RELAXED);
}
// The same between plugins that are called in a row; rt_mend_float_mode follows the last. To look waits for all float
// operations under way, which costs a quarter of a small plugin. So the first block of each plugin, which never is in
// such a row, and the end of each row show whether plugins of this process change the mode; only then each is checked.
RT_SAFE void rt_mend_float_mode_in_row(void) {
  if (__builtin_expect(__atomic_load_n(&swiftlet_float_mode_changes, __ATOMIC_RELAXED), 0)) rt_mend_float_mode();
}

// How often a shortcut has been closed, in all plans of the process. A counter of C, since one of Swift
// would be made at its first use, behind a lock.
extern intptr_t swiftlet_closings;
RT_SAFE intptr_t rt_closings(void) { return __atomic_load_n(&swiftlet_closings, __ATOMIC_ACQUIRE); }
RT_SAFE void rt_count_closing(void) { __atomic_add_fetch(&swiftlet_closings, 1, __ATOMIC_RELEASE); }

// RealtimeSanitizer's hooks: present only in a test binary linked with its runtime, else no-ops.
extern void __rtsan_realtime_enter(void) __attribute__((weak));
extern void __rtsan_realtime_exit(void) __attribute__((weak));
extern void __rtsan_disable(void) __attribute__((weak));
extern void __rtsan_enable(void) __attribute__((weak));

// Brackets the audio thread's work: what allocates, locks or waits in between aborts with a stack trace.
RT_SAFE void rt_enter(void) { if (__rtsan_realtime_enter) __rtsan_realtime_enter(); }
RT_SAFE void rt_exit(void) { if (__rtsan_realtime_exit) __rtsan_realtime_exit(); }
// Brackets a foreign plugin's code, which we cannot answer for.
RT_SAFE void rt_foreign_enter(void) { if (__rtsan_disable) __rtsan_disable(); }
RT_SAFE void rt_foreign_exit(void) { if (__rtsan_enable) __rtsan_enable(); }
// Whether the sanitizer is linked: a test that relies on it asks.
static inline int rt_is_sanitized(void) { return __rtsan_realtime_enter != 0; }

// Ticks of rt_ticks in a second, measured once against the monotonic clock (20 ms). Control thread only.
double swiftlet_ticks_per_second(void);

// What a call of rt_ticks costs, in its own ticks, measured once (some µs). Control thread only.
uint64_t swiftlet_ticks_per_stamp(void);

#include "PluginCalls.h"
#include "Crash.h"
#include "Isolation.h"
