// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

// The C calls that are allowed on the audio thread, each with its reason. Nothing else belongs here.
#pragma once

#include <math.h>
#include <stdint.h>
#include <string.h>

#define RT_SAFE                                                                                              \
  __attribute__((swift_attr("@_noLocks"), swift_attr("@_noAllocation"))) static inline __attribute__((always_inline))

// Pure and bounded, which the Swift compiler cannot know of libm.
RT_SAFE float rt_sin(float x) { return sinf(x); }
RT_SAFE float rt_cos(float x) { return cosf(x); }
RT_SAFE float rt_log10(float x) { return log10f(x); }
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

// Bounded by its argument. Swift's own bulk copies are generic and not visible to the compiler's checks.
RT_SAFE void rt_copy_floats(float *to, const float *from, intptr_t count) {
  memmove(to, from, (size_t)count * sizeof(float));
}
RT_SAFE void rt_clear_floats(float *to, intptr_t count) { memset(to, 0, (size_t)count * sizeof(float)); }
// A float that another thread reads or writes at the same time. Compiles to a plain move on the supported machines; a
// plain store would be a data race by the rules of C and Swift.
RT_SAFE void rt_store_float(float *to, float value) { __atomic_store(to, &value, __ATOMIC_RELAXED); }
RT_SAFE float rt_load_float(const float *from) {
  float value;
  __atomic_load(from, &value, __ATOMIC_RELAXED);
  return value;
}
// Writes a value of `size` bytes word by word while other threads read it. Release and acquire order each word against
// the sequence counter that tells readers whether they have read a whole value. If `size` is no multiple of 8, the
// last word holds the remaining bytes, and no byte behind the value is read.
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

// Returns the length of a C string, at most `most` bytes.
RT_SAFE intptr_t rt_length(const char *text, intptr_t most) { return (intptr_t)strnlen(text, (size_t)most); }

// Returns an identifier of the calling thread: a register read. Not inline, since every importer would then include
// pthread.h.
__attribute__((swift_attr("@_noLocks"), swift_attr("@_noAllocation"))) uintptr_t rt_thread(void);

// A prefetch hint, which cannot fault: while one node runs, the next node's memory is fetched into the cache.
RT_SAFE void rt_prefetch(const void *address) { __builtin_prefetch(address); }

// Returns a time stamp for attributing cycle time to nodes: a register read without a call or system call. The units
// are the machine's own; `swiftlet_ticks_per_second` calibrates them.
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

// Flushes denormals to zero, since each costs about a hundred times a normal operation. Returns the previous setting
// for rt_restore_denormals.
RT_SAFE uint64_t rt_flush_denormals(void) {
#if defined(__x86_64__) || defined(__i386__)
  uint32_t before = __builtin_ia32_stmxcsr();
  // Sets FTZ and DAZ. The bits are usually set already, and reading the register is faster than writing it.
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

// Returns the thread's floating-point mode: rounding, denormals and traps, without the exception flags.
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
// Sets the thread's floating-point mode, and returns 1 if it was another. Reads it first: a write costs more, and the
// mode is usually right.
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
// Whether a plugin of this process has ever left the floating-point mode changed.
extern int swiftlet_float_mode_changes;
// Restores the floating-point mode after a third-party plugin's code, which may have changed it: round to nearest,
// flush denormals, no traps. The next plugin then computes as usual.
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
// The same between consecutive direct calls of plugins; rt_mend_float_mode follows the last. Reading the mode waits for
// all floating-point operations under way, which takes a quarter of the time of a small plugin. Therefore the mode is
// checked after each plugin's first block, which is never a direct call, and after the last of consecutive calls; it is
// checked between them only if a plugin of this process has changed it.
RT_SAFE void rt_mend_float_mode_in_row(void) {
  if (__builtin_expect(__atomic_load_n(&swiftlet_float_mode_changes, __ATOMIC_RELAXED), 0)) rt_mend_float_mode();
}

// The number of direct calls (`DirectCall`) that have been closed, in all plans of the process. The counter is in C,
// since Swift would initialize a global lazily, behind a lock.
extern intptr_t swiftlet_closings;
RT_SAFE intptr_t rt_closings(void) { return __atomic_load_n(&swiftlet_closings, __ATOMIC_ACQUIRE); }
RT_SAFE void rt_count_closing(void) { __atomic_add_fetch(&swiftlet_closings, 1, __ATOMIC_RELEASE); }

// RealtimeSanitizer's hooks: present only in a binary linked with its runtime, otherwise no-ops.
extern void __rtsan_realtime_enter(void) __attribute__((weak));
extern void __rtsan_realtime_exit(void) __attribute__((weak));
extern void __rtsan_disable(void) __attribute__((weak));
extern void __rtsan_enable(void) __attribute__((weak));

// Brackets the audio thread's work: an allocation, lock or wait in between aborts with a stack trace.
RT_SAFE void rt_enter(void) { if (__rtsan_realtime_enter) __rtsan_realtime_enter(); }
RT_SAFE void rt_exit(void) { if (__rtsan_realtime_exit) __rtsan_realtime_exit(); }
// Brackets third-party plugin code, which the project cannot make real-time safe.
RT_SAFE void rt_third_party_enter(void) { if (__rtsan_disable) __rtsan_disable(); }
RT_SAFE void rt_third_party_exit(void) { if (__rtsan_enable) __rtsan_enable(); }
// Returns whether the sanitizer is linked, for tests that rely on it.
static inline int rt_is_sanitized(void) { return __rtsan_realtime_enter != 0; }

// The number of rt_ticks units a second, measured once against the monotonic clock (takes 20 ms). Control thread only.
double swiftlet_ticks_per_second(void);

// The cost of one rt_ticks call in ticks, measured once (takes some µs). Control thread only.
uint64_t swiftlet_ticks_per_stamp(void);

#include "PluginCalls.h"
#include "Crash.h"
#include "Isolation.h"
