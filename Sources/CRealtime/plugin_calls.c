// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

#define _GNU_SOURCE
#include "CSwiftletRealtime.h"

#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

__thread struct swiftlet_call swiftlet_call __attribute__((tls_model("initial-exec")));
static __thread const char *node_of_thread;
static __thread struct thread *own;

// A thread prepared by swiftlet_prepare_thread.
struct thread {
  struct thread *next;
  const struct swiftlet_call *call;
  void *stack;
  uint64_t seen;
  uint32_t looks;
  int32_t id;
  int is_live, is_main;
};

// The stack has room for the handler, its buffers and the kernel's saved state. An inaccessible guard page lies below
// it.
enum { STACK_SIZE = 128 * 1024, GUARD_SIZE = 64 * 1024 };

int swiftlet_catches_crashes = 0;
static struct thread *threads;
static pthread_mutex_t threads_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_once_t key_once = PTHREAD_ONCE_INIT;
static pthread_key_t key;
static struct swiftlet_note *notes;

static void end_thread(void *pointer) {
  struct thread *thread = pointer;
  pthread_mutex_lock(&threads_lock);
  for (struct thread **link = &threads; *link; link = &(*link)->next) {
    if (*link == thread) {
      *link = thread->next;
      break;
    }
  }
  pthread_mutex_unlock(&threads_lock);
  own = NULL;
  const stack_t none = {.ss_flags = SS_DISABLE};
  sigaltstack(&none, NULL);
  if (thread->stack != MAP_FAILED) munmap(thread->stack, GUARD_SIZE + STACK_SIZE);
  free(thread);
}

static void make_key(void) { pthread_key_create(&key, end_thread); }

void swiftlet_prepare_thread(int is_live) {
  if (!__atomic_load_n(&swiftlet_catches_crashes, __ATOMIC_ACQUIRE)) return;
  if (own) {
    own->is_live = is_live || own->is_live;
    return;
  }
  struct thread *thread = calloc(1, sizeof *thread);
  if (!thread) return;
  pthread_once(&key_once, make_key);
  thread->stack = mmap(
    NULL, GUARD_SIZE + STACK_SIZE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_STACK, -1, 0);
  if (thread->stack != MAP_FAILED) {
    mprotect(thread->stack, GUARD_SIZE, PROT_NONE);
    const stack_t stack = {.ss_sp = (char *)thread->stack + GUARD_SIZE, .ss_size = STACK_SIZE};
    sigaltstack(&stack, NULL);
  }
  thread->call = &swiftlet_call;
  thread->id = (int32_t)syscall(SYS_gettid);
  thread->is_main = thread->id == getpid();
  thread->is_live = is_live;
  own = thread;
  pthread_setspecific(key, thread);
  pthread_mutex_lock(&threads_lock);
  thread->next = threads;
  threads = thread;
  pthread_mutex_unlock(&threads_lock);
}

struct swiftlet_call swiftlet_enter(const void *plugin, uint32_t function) {
  if (!own) swiftlet_prepare_thread(0);
  const struct swiftlet_call around = swiftlet_call;
  rt_begin_call(plugin, function);
  return around;
}

void swiftlet_leave(struct swiftlet_call around) {
  // The enclosing call continues under a new count, so that the time in the inner call does not count as hanging.
  rt_begin_call(around.plugin, around.function);
}

int swiftlet_look(struct swiftlet_stuck *stuck, int most) {
  int count = 0;
  pthread_mutex_lock(&threads_lock);
  for (struct thread *thread = threads; thread; thread = thread->next) {
    const uint64_t now = __atomic_load_n(&thread->call->count, __ATOMIC_RELAXED);
    const void *plugin = __atomic_load_n(&thread->call->plugin, __ATOMIC_RELAXED);
    if (!plugin || now != thread->seen) {
      thread->seen = now;
      thread->looks = 0;
      continue;
    }
    thread->looks++;
    if (count == most) continue;
    stuck[count++] = (struct swiftlet_stuck){
      .thread = thread->id,
      .function = thread->call->function,
      .plugin = plugin,
      .is_live = thread->is_live,
      .is_main = thread->is_main,
      .looks = thread->looks,
    };
  }
  pthread_mutex_unlock(&threads_lock);
  return count;
}

const char *swiftlet_set_node(const char *node) {
  const char *before = node_of_thread;
  node_of_thread = node;
  return before;
}

const char *swiftlet_set_node_of(const struct swiftlet_note *note) { return swiftlet_set_node(note ? note->node : NULL); }

static void copy_printable(char *to, size_t size, const char *from) {
  size_t length = 0;
  for (; from && from[length] && length + 1 < size; length++) {
    to[length] = from[length] >= 0x20 && from[length] < 0x7f ? from[length] : '?';
  }
  to[length] = 0;
}

struct swiftlet_note *swiftlet_note_plugin(const char *uri, const char *library) {
  struct swiftlet_note *note = __atomic_load_n(&notes, __ATOMIC_ACQUIRE);
  for (; note; note = note->next) {
    int free = 0;
    if (__atomic_compare_exchange_n(&note->is_used, &free, 1, 0, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED)) break;
  }
  const int is_new = note == NULL;
  if (is_new) {
    note = calloc(1, sizeof *note);
    if (!note) return NULL;
    note->is_used = 1;
  }
  copy_printable(note->node, sizeof note->node, node_of_thread);
  copy_printable(note->uri, sizeof note->uri, uri);
  // The resolved path, as /proc/self/maps lists it.
  char *real = library ? realpath(library, NULL) : NULL;
  copy_printable(note->library, sizeof note->library, real);
  free(real);
  if (is_new) {
    note->next = __atomic_load_n(&notes, __ATOMIC_RELAXED);
    while (!__atomic_compare_exchange_n(&notes, &note->next, note, 0, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED)) {
    }
  }
  return note;
}

void swiftlet_set_handle(struct swiftlet_note *note, const void *handle) {
  if (note) __atomic_store_n(&note->handle, handle, __ATOMIC_RELEASE);
}

void swiftlet_remove_note(struct swiftlet_note *note) {
  if (!note) return;
  __atomic_store_n(&note->handle, NULL, __ATOMIC_RELEASE);
  __atomic_store_n(&note->is_used, 0, __ATOMIC_RELEASE);
}

static inline void run_one(const struct swiftlet_row *row, void *plugin, uint32_t frames) {
  rt_set_plugin(plugin);
  row->run(plugin, frames);
  rt_mend_float_mode_in_row();
}

void swiftlet_run_row(void *row, uint32_t frames) {
  const struct swiftlet_row *self = row;
  run_one(self, self->first, frames);
  if (self->count > 1) run_one(self, self->second, frames);
  for (uint32_t number = 2; number < self->count; number++) run_one(self, self->plugins[number], frames);
}

const struct swiftlet_note *swiftlet_find_note(const void *plugin) {
  if (!plugin) return NULL;
  const struct swiftlet_note *note = __atomic_load_n(&notes, __ATOMIC_ACQUIRE);
  for (; note; note = note->next) {
    if (note == plugin || __atomic_load_n(&note->handle, __ATOMIC_ACQUIRE) == plugin) return note;
  }
  return NULL;
}

const struct swiftlet_note *swiftlet_find_only_node(void) {
  const struct swiftlet_note *only = NULL, *note = __atomic_load_n(&notes, __ATOMIC_ACQUIRE);
  for (; note; note = note->next) {
    if (!__atomic_load_n(&note->handle, __ATOMIC_ACQUIRE)) continue;
    if (!note->node[0] || (only && strcmp(only->node, note->node))) return NULL;
    only = note;
  }
  return only;
}

const struct swiftlet_note *swiftlet_find_library(const char *path) {
  const struct swiftlet_note *note = __atomic_load_n(&notes, __ATOMIC_ACQUIRE);
  for (; note; note = note->next) {
    if (__atomic_load_n(&note->is_used, __ATOMIC_ACQUIRE) && note->library[0] && !strcmp(note->library, path)) {
      return note;
    }
  }
  return NULL;
}

const char *swiftlet_function_name(uint32_t function) {
  static const char *const names[] = {
    "run",       "connect_port", "work_response", "end_run", "a constructor of its library", "lv2_descriptor",
    "instantiate", "extension_data", "activate",  "deactivate", "cleanup", "work",
    "save",      "restore",      "set (options)", "get_program", "select_program",
  };
  return function < sizeof names / sizeof *names ? names[function] : "its code";
}
