// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

#define _GNU_SOURCE
#include "CSwiftletProbe.h"

#include <dlfcn.h>
#include <malloc.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

static _Thread_local bool is_counting;
static _Thread_local probe_counts counts;

void probe_begin(void) {
  counts = (probe_counts){0};
  is_counting = true;
}

probe_counts probe_end(void) {
  is_counting = false;
  return counts;
}

// Compiled code may rely on some of these functions to preserve most registers; for the others that does no harm.
#define GENTLE __attribute__((preserve_most, visibility("default")))

// Defines `name`, which counts the call and then calls the runtime's function of that name. The first call looks that
// function up, possibly in several threads at once.
#define COUNT(counter, result, name, parameters, arguments)                                                  \
  GENTLE result name parameters;                                                                             \
  GENTLE result name parameters {                                                                            \
    static _Atomic(result(*) parameters) known;                                                              \
    result(*real) parameters = atomic_load_explicit(&known, memory_order_relaxed);                           \
    if (!real) {                                                                                             \
      real = (result(*) parameters)dlsym(RTLD_NEXT, #name);                                                  \
      atomic_store_explicit(&known, real, memory_order_relaxed);                                             \
    }                                                                                                        \
    if (is_counting) counts.counter++;                                                                       \
    return real arguments;                                                                                   \
  }

COUNT(retains, void *, swift_retain, (void *object), (object))
COUNT(retains, void *, swift_retain_n, (void *object, uint32_t count), (object, count))
COUNT(retains, void *, swift_bridgeObjectRetain, (void *object), (object))
COUNT(retains, void *, swift_bridgeObjectRetain_n, (void *object, uint32_t count), (object, count))
COUNT(releases, void, swift_release, (void *object), (object))
COUNT(releases, void, swift_release_n, (void *object, uint32_t count), (object, count))
COUNT(releases, void, swift_bridgeObjectRelease, (void *object), (object))
COUNT(releases, void, swift_bridgeObjectRelease_n, (void *object, uint32_t count), (object, count))
COUNT(allocations, void *, swift_allocObject, (const void *metadata, size_t size, size_t mask), (metadata, size, mask))
COUNT(allocations, void *, swift_slowAlloc, (size_t size, size_t mask), (size, mask))
COUNT(accesses, void, swift_beginAccess, (void *address, void *buffer, uintptr_t flags, void *caller),
      (address, buffer, flags, caller))
COUNT(onces, void, swift_once, (void *token, void (*make)(void *), void *context), (token, make, context))

long probe_memory_in_use(void) {
  struct mallinfo2 heap = mallinfo2();
  return (long)(heap.uordblks + heap.hblkhd);
}
