// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

#pragma once
#include <lilv/lilv.h>
#include <lv2/atom/atom.h>
#include <lv2/atom/util.h>
#include <lv2/buf-size/buf-size.h>
#include <lv2/core/lv2.h>
#include <lv2/log/log.h>
#include <lv2/midi/midi.h>
#include <lv2/options/options.h>
#include <lv2/parameters/parameters.h>
#include <lv2/patch/patch.h>
#include <lv2/port-props/port-props.h>
#include <lv2/presets/presets.h>
#include <lv2/resize-port/resize-port.h>
#include <lv2/state/state.h>
#include <lv2/time/time.h>
#include <lv2/units/units.h>
#include <lv2/urid/urid.h>
#include <lv2/worker/worker.h>
#include <serd/serd.h>

#include <malloc.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>

// The old extension http://lv2plug.in/ns/ext/uri-map, whose header declares everything in it as deprecated.
typedef struct {
  void *map;
  uint32_t (*uri_to_id)(void *map, const char *context, const char *uri);
} swiftlet_uri_map;

// The extension http://kxstudio.sf.net/ns/lv2ext/programs: the interface of plugins with programs, which their code lists
// and selects. `get_program` returns NULL behind the last program, and what it returns is valid until the next call.
// `select_program` may write to control inputs. Both are called while no other function of the instance runs.
typedef struct {
  uint32_t bank, program;
  const char *name;
} swiftlet_program;
typedef struct {
  const swiftlet_program *(*get_program)(LV2_Handle, uint32_t index);
  void (*select_program)(LV2_Handle, uint32_t bank, uint32_t program);
} swiftlet_programs;

// Calls of plugin code on the audio thread, which the compiler cannot check: the LV2 host's waiver. Inline C, so it
// adds no call.
#define SWIFTLET_THIRD_PARTY                                                                                 \
  __attribute__((swift_attr("@_noLocks"), swift_attr("@_noAllocation"))) static inline __attribute__((always_inline))

typedef void (*swiftlet_lv2_run)(LV2_Handle, uint32_t);
typedef void (*swiftlet_lv2_connect)(LV2_Handle, uint32_t, void *);
typedef LV2_Worker_Status (*swiftlet_lv2_response)(LV2_Handle, uint32_t, const void *);
typedef LV2_Worker_Status (*swiftlet_lv2_end_run)(LV2_Handle);

SWIFTLET_THIRD_PARTY void swiftlet_call_run(swiftlet_lv2_run run, LV2_Handle plugin, uint32_t frames) {
  run(plugin, frames);
}
SWIFTLET_THIRD_PARTY void swiftlet_call_connect(
  swiftlet_lv2_connect connect, LV2_Handle plugin, uint32_t port, void *memory) {
  connect(plugin, port, memory);
}
SWIFTLET_THIRD_PARTY void swiftlet_call_response(
  swiftlet_lv2_response response, LV2_Handle plugin, uint32_t size, const void *body) {
  response(plugin, size, body);
}
SWIFTLET_THIRD_PARTY void swiftlet_call_end_run(swiftlet_lv2_end_run end_run, LV2_Handle plugin) { end_run(plugin); }

// Swift can neither define nor call a variadic C function such as log:printf. The text is formatted on the logging
// thread's stack, so nothing is allocated.
typedef struct {
  void (*write)(void *context, uint32_t type, const char *text);
  void *context;
} swiftlet_log_sink;

static inline int swiftlet_log_vprintf(LV2_Log_Handle handle, LV2_URID type, const char *format, va_list values) {
  char text[1024];
  const int length = vsnprintf(text, sizeof(text), format, values);
  const swiftlet_log_sink *sink = (const swiftlet_log_sink *)handle;
  if (length > 0) sink->write(sink->context, type, text);
  return length;
}
static inline int swiftlet_log_printf(LV2_Log_Handle handle, LV2_URID type, const char *format, ...) {
  va_list values;
  va_start(values, format);
  const int length = swiftlet_log_vprintf(handle, type, format, values);
  va_end(values);
  return length;
}
static inline LV2_Log_Log swiftlet_log(swiftlet_log_sink *sink) {
  const LV2_Log_Log log = {sink, swiftlet_log_printf, swiftlet_log_vprintf};
  return log;
}

// Some plugins read memory that they never wrote (Calf's Wavetable crashes because of it). While a plugin is
// instantiated, new memory is filled with zeros, as in a fresh process. glibc does this for allocations above 1 KiB,
// which exceed its per-thread caches.
static inline void swiftlet_zero_new_memory(int is_on) {
#ifdef M_PERTURB
  mallopt(M_PERTURB, is_on ? 0xff : 0);
#endif
}
