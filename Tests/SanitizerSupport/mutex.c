// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC
//
// Annotates contended operations of Swift's Mutex for ThreadSanitizer.
//
// The code that locks and unlocks a free Mutex is inlined into ours and instrumented. A contended Mutex is handed over
// through the kernel by functions of libswiftSynchronization, which is not instrumented. Without the calls below,
// ThreadSanitizer would report every access that such a mutex protects. A program that is linked with the functions
// here uses them instead of the library's, and they call the library's. They have Swift's calling convention and
// mangled names. If a later library lacks one of these names, the test `a contended mutex orders accesses to its value`
// fails.

#if defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

#define SWIFT __attribute__((swiftcall))
#define SELF __attribute__((swift_context))
#define LOCK "$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF"
#define TRY_LOCK "$s15Synchronization12_MutexHandleV12_tryLockSlowSbyF"
#define UNLOCK "$s15Synchronization12_MutexHandleV11_unlockSlowyyF"

extern void __tsan_acquire(void *address);
extern void __tsan_release(void *address);

// The library's own function.
static void *own(const char *name) {
  void *function = dlsym(RTLD_NEXT, name);
  if (!function) abort();
  return function;
}

// _MutexHandle._lockSlow(_ selfId: UInt32)
SWIFT void lock_contended(uint32_t thread, SELF void *mutex) __asm__(LOCK);
SWIFT void lock_contended(uint32_t thread, SELF void *mutex) {
  typedef SWIFT void (*Function)(uint32_t, SELF void *);
  ((Function)own(LOCK))(thread, mutex);
  __tsan_acquire(mutex);
}

// _MutexHandle._tryLockSlow() -> Bool
SWIFT bool try_contended(SELF void *mutex) __asm__(TRY_LOCK);
SWIFT bool try_contended(SELF void *mutex) {
  typedef SWIFT bool (*Function)(SELF void *);
  bool is_locked = ((Function)own(TRY_LOCK))(mutex);
  if (is_locked) __tsan_acquire(mutex);
  return is_locked;
}

// _MutexHandle._unlockSlow()
SWIFT void unlock_contended(SELF void *mutex) __asm__(UNLOCK);
SWIFT void unlock_contended(SELF void *mutex) {
  typedef SWIFT void (*Function)(SELF void *);
  __tsan_release(mutex);
  ((Function)own(UNLOCK))(mutex);
}
#endif
#endif
