// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

// Which plugin's code each thread is in. Included by CSwiftletRealtime.h.
//
// A signal handler reads the record of its own thread, and a watching thread reads those of all threads that have been
// prepared. The audio thread pays four stores for each call of a plugin, into its own memory.
#pragma once

// A function of a plugin. The first four are called by audio threads.
enum swiftlet_function {
  SWIFTLET_RUN,
  SWIFTLET_CONNECT_PORT,
  SWIFTLET_WORK_RESPONSE,
  SWIFTLET_END_RUN,
  SWIFTLET_LOADING,
  SWIFTLET_DESCRIPTOR,
  SWIFTLET_INSTANTIATE,
  SWIFTLET_EXTENSION_DATA,
  SWIFTLET_ACTIVATE,
  SWIFTLET_DEACTIVATE,
  SWIFTLET_CLEANUP,
  SWIFTLET_WORK,
  SWIFTLET_SAVE,
  SWIFTLET_RESTORE,
  SWIFTLET_OPTIONS,
};

// The call that a thread is in.
struct swiftlet_call {
  // The LV2 handle of the instance that is called, or its note; NULL outside of plugins.
  const void *plugin;
  // How many calls have begun on this thread: whether one lasts or another has begun.
  uint64_t count;
  uint32_t function;
};
extern __thread struct swiftlet_call swiftlet_call __attribute__((tls_model("initial-exec")));

// What is known of an instance. Notes are never freed, so that a signal handler may read them; they are used again.
struct swiftlet_note {
  struct swiftlet_note *next;
  const void *handle;
  int is_used;
  // Printable ASCII; the node's name may be empty.
  char node[64], uri[192], library[512];
};

// Begins and ends a call on an audio thread. A store to the thread's own memory needs no system call.
RT_SAFE void rt_begin_call(const void *plugin, uint32_t function) {
  swiftlet_call.function = function;
  __atomic_store_n(&swiftlet_call.count, swiftlet_call.count + 1, __ATOMIC_RELAXED);
  __atomic_store_n(&swiftlet_call.plugin, plugin, __ATOMIC_RELAXED);
}
RT_SAFE void rt_begin_run(const void *plugin) { rt_begin_call(plugin, SWIFTLET_RUN); }
// Begins the calls of `run` of several plugins in a row, and sets the one that is called next. One count serves them
// all, since they are different instances.
RT_SAFE void rt_begin_runs(void) { rt_begin_call(NULL, SWIFTLET_RUN); }
RT_SAFE void rt_set_plugin(const void *plugin) { __atomic_store_n(&swiftlet_call.plugin, plugin, __ATOMIC_RELAXED); }
RT_SAFE void rt_begin_connect(const void *plugin) { rt_begin_call(plugin, SWIFTLET_CONNECT_PORT); }
RT_SAFE void rt_begin_response(const void *plugin) { rt_begin_call(plugin, SWIFTLET_WORK_RESPONSE); }
RT_SAFE void rt_begin_end_run(const void *plugin) { rt_begin_call(plugin, SWIFTLET_END_RUN); }
// The function of a plugin that the calling thread is in; -1 outside of plugins.
RT_SAFE int32_t rt_current_function(void) { return swiftlet_call.plugin ? (int32_t)swiftlet_call.function : -1; }
RT_SAFE void rt_end_call(void) { __atomic_store_n(&swiftlet_call.plugin, NULL, __ATOMIC_RELAXED); }

// The instances of a plugin, and its function `run`.
struct swiftlet_row {
  void (*run)(void *plugin, uint32_t frames);
  // The first two stand here: a plugin seldom has more.
  void *first, *second;
  void **plugins;
  uint32_t count;
};
// Runs all instances of a `swiftlet_row`. rt_mend_float_mode follows.
void swiftlet_run_row(void *row, uint32_t frames);

// The same on any other thread, where a call may begin within another: `work` within `restore`. Returns the call around
// it, for swiftlet_leave. Prepares the thread.
struct swiftlet_call swiftlet_enter(const void *plugin, uint32_t function);
void swiftlet_leave(struct swiftlet_call around);

// Sets the node that the plugins are for which this thread makes from now on; NULL for none. Returns the one before.
const char *swiftlet_set_node(const char *node);
// Sets the node of another instance of the same plugin.
const char *swiftlet_set_node_of(const struct swiftlet_note *note);

// Notes an instance that is about to be made, for the node of this thread; NULL without memory.
struct swiftlet_note *swiftlet_note_plugin(const char *uri, const char *library);
void swiftlet_set_handle(struct swiftlet_note *note, const void *handle);
void swiftlet_forget_note(struct swiftlet_note *note);
// The note of a call's plugin, or of a library; NULL if there is none. Safe inside a signal handler.
const struct swiftlet_note *swiftlet_find_note(const void *plugin);
const struct swiftlet_note *swiftlet_find_library(const char *path);
const char *swiftlet_function_name(uint32_t function);

// Gives the calling thread a stack for signal handlers, and lets it be watched, if crashes are caught at all. Once for
// each thread that calls plugins. `is_live` is 1 for JACK's audio thread.
void swiftlet_prepare_thread(int is_live);

// A call that lasts.
struct swiftlet_stuck {
  int32_t thread;
  uint32_t function;
  const void *plugin;
  int is_live, is_main;
  // For how many looks in a row the thread has been in this one call, this one included.
  uint32_t looks;
};
// Looks at all prepared threads, as is done once every so often, and returns how many calls were the same at the last
// look: at most `most` of them are stored.
int swiftlet_look(struct swiftlet_stuck *stuck, int most);
