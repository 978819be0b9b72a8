// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

// Records which plugin's code each thread is in. Included by CSwiftletRealtime.h.
//
// A signal handler reads the record of its own thread, and a watching thread reads those of all prepared threads. On
// the audio thread, each call of a plugin costs four stores to thread-local memory.
#pragma once

// A function of a plugin. Audio threads call the first four.
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
  SWIFTLET_GET_PROGRAM,
  SWIFTLET_SELECT_PROGRAM,
};

// The plugin call that a thread is in.
struct swiftlet_call {
  // The LV2 handle of the called instance, or its note; NULL outside plugins.
  const void *plugin;
  // The number of calls begun on this thread. Distinguishes a call that lasts from a new one.
  uint64_t count;
  uint32_t function;
};
extern __thread struct swiftlet_call swiftlet_call __attribute__((tls_model("initial-exec")));

// The identity of a plugin instance. Notes are reused and never freed, so that a signal handler may read them.
struct swiftlet_note {
  struct swiftlet_note *next;
  const void *handle;
  int is_used;
  // Printable ASCII. The node's name may be empty.
  char node[64], uri[192], library[512];
};

// Marks the begin and end of a call on an audio thread: stores to the thread's own memory, without a system call.
RT_SAFE void rt_begin_call(const void *plugin, uint32_t function) {
  swiftlet_call.function = function;
  __atomic_store_n(&swiftlet_call.count, swiftlet_call.count + 1, __ATOMIC_RELAXED);
  __atomic_store_n(&swiftlet_call.plugin, plugin, __ATOMIC_RELAXED);
}
RT_SAFE void rt_begin_run(const void *plugin) { rt_begin_call(plugin, SWIFTLET_RUN); }
// Begins consecutive calls of `run` of several plugins, and sets the one that is called next. They share one count,
// since they are different instances.
RT_SAFE void rt_begin_runs(void) { rt_begin_call(NULL, SWIFTLET_RUN); }
RT_SAFE void rt_set_plugin(const void *plugin) { __atomic_store_n(&swiftlet_call.plugin, plugin, __ATOMIC_RELAXED); }
RT_SAFE void rt_begin_connect(const void *plugin) { rt_begin_call(plugin, SWIFTLET_CONNECT_PORT); }
RT_SAFE void rt_begin_response(const void *plugin) { rt_begin_call(plugin, SWIFTLET_WORK_RESPONSE); }
RT_SAFE void rt_begin_end_run(const void *plugin) { rt_begin_call(plugin, SWIFTLET_END_RUN); }
// Returns the plugin function that the calling thread is in; -1 outside plugins.
RT_SAFE int32_t rt_current_function(void) { return swiftlet_call.plugin ? (int32_t)swiftlet_call.function : -1; }
RT_SAFE void rt_end_call(void) { __atomic_store_n(&swiftlet_call.plugin, NULL, __ATOMIC_RELAXED); }

// The instances of a plugin, and its function `run`.
struct swiftlet_row {
  void (*run)(void *plugin, uint32_t frames);
  // The first two instances; few plugins have more.
  void *first, *second;
  void **plugins;
  uint32_t count;
};
// Runs all instances of a `swiftlet_row`. rt_mend_float_mode follows.
void swiftlet_run_row(void *row, uint32_t frames);

// As rt_begin_call and rt_end_call, on any other thread, where calls may nest (`work` within `restore`). Prepares the
// thread. swiftlet_enter returns the enclosing call for swiftlet_leave.
struct swiftlet_call swiftlet_enter(const void *plugin, uint32_t function);
void swiftlet_leave(struct swiftlet_call around);

// Sets the node name for plugins that this thread makes from now on; NULL for none. Returns the previous name.
const char *swiftlet_set_node(const char *node);
// Sets the node name of another instance of the same plugin.
const char *swiftlet_set_node_of(const struct swiftlet_note *note);

// Creates a note for an instance that is about to be made, with this thread's node name. Returns NULL if there is no
// memory.
struct swiftlet_note *swiftlet_note_plugin(const char *uri, const char *library);
void swiftlet_set_handle(struct swiftlet_note *note, const void *handle);
void swiftlet_remove_note(struct swiftlet_note *note);
// Returns the note of a plugin, or of a library; NULL if there is none. Safe in a signal handler.
const struct swiftlet_note *swiftlet_find_note(const void *plugin);
const struct swiftlet_note *swiftlet_find_library(const char *path);
const char *swiftlet_function_name(uint32_t function);
// Returns the note of an instance if all instances in this process belong to one node, which has a name; otherwise NULL.
const struct swiftlet_note *swiftlet_find_only_node(void);

// Makes C's standard streams label what is written from within a plugin with the plugin's node, as \1NODE\2TEXT\3, and
// makes standard output line-buffered. What C++ streams and `write` print has no label. Call it once, before threads.
void swiftlet_label_output(void);
// Ends the labels. Safe in a signal handler.
void swiftlet_stop_labels(void);
// Flushes C's standard output.
void swiftlet_flush_output(void);

// Gives the calling thread an alternate signal stack and adds it to the watched threads, if crashes are caught. Called
// once by each thread that calls plugins. `is_live` is 1 for JACK's audio thread.
void swiftlet_prepare_thread(int is_live);

// A call that has not returned between two or more checks.
struct swiftlet_stuck {
  int32_t thread;
  uint32_t function;
  const void *plugin;
  int is_live, is_main;
  // The number of consecutive checks that found the thread still in this call, after the check that found it first.
  uint32_t looks;
};
// Checks all prepared threads; called at regular intervals. Returns the number of calls that were already running at
// the last check, and stores at most `most` of them.
int swiftlet_look(struct swiftlet_stuck *stuck, int most);
