// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

// Plugins in a process of their own: how the audio thread has a block processed there. Included by CSwiftletRealtime.h.
//
// Two areas of shared memory lie between the processes: one that only the host writes, one that only the child writes.
// The host believes nothing in the child's area: it copies a size once, bounds it, and uses its copy.
#pragma once

#include <stdint.h>

// The head of the host's area: what is to be done.
struct swiftlet_isolated_order {
  // Counts up with each order.
  uint32_t turn;
  // How many frames all instances are to process; UINT32_MAX ends the thread that does.
  uint32_t frames;
  // Whether nobody listens, so that the plugin's worker is waited for.
  uint32_t is_alone;
  // Whether the process's one thread for the audio thread does it; else the plugin's own does.
  uint32_t is_on_line;
  // The thread that orders, and its processor: the child takes over its processor, and its priority less one.
  int32_t thread, processor;
  uint64_t float_mode;
};

// The head of the child's area, which both map for writing: a futex in memory that one of them can only read takes the kernel a
// microsecond more for each wait.
struct swiftlet_isolated_answer {
  // The last turn that is done; the host waits for a change of it.
  uint32_t turn;
  // Changes with each order; the child waits for that. What is ordered is in the host's area alone.
  uint32_t bell;
};

// The memory between an audio thread and the one thread that works for it in a process, whatever plugin is ordered: to go from one
// plugin to the next it need not sleep and wake. Both write to it.
struct swiftlet_isolated_line {
  // Changes with each order; the child waits for that.
  uint32_t bell;
  // The plugin that is ordered.
  uint32_t seat;
  // Whether the child sleeps, or is about to, and must be woken.
  uint32_t is_asleep;
};

enum swiftlet_isolated_kind {
  SWIFTLET_ISOLATED_NONE,
  SWIFTLET_ISOLATED_AUDIO_IN,
  SWIFTLET_ISOLATED_AUDIO_OUT,
  SWIFTLET_ISOLATED_CONTROL_IN,
  SWIFTLET_ISOLATED_CONTROL_OUT,
  SWIFTLET_ISOLATED_EVENTS_IN,
  SWIFTLET_ISOLATED_EVENTS_OUT,
};

// A port of an instance: where it lies in the area of its direction, and what the host has connected it to.
struct swiftlet_isolated_port {
  uint32_t kind;
  // In bytes; a port of sound has room for the longest block.
  uint32_t offset, capacity;
  // The last sample of an output of sound: where its ramp begins if the child fails.
  float last;
  void *memory;
  // Of an output of sound that is heard `lag` frames later: a ring of those frames.
  float *held;
};

enum swiftlet_isolated_state { SWIFTLET_ISOLATED_PLAYS, SWIFTLET_ISOLATED_FAILED };

// An instance as the host calls it: the handle of its LV2 functions.
struct swiftlet_isolated {
  struct swiftlet_isolated_order *order;
  struct swiftlet_isolated_answer *answer;
  struct swiftlet_isolated_port *ports;
  uint32_t port_count, longest;
  // The types of atoms that event ports hold.
  uint32_t sequence, chunk;
  // How long a block may take, in nanoseconds: the longer one of the two.
  int64_t patience, patience_per_frame;
  // The line to the process, the plugin's number there, and whether somebody uses the line, which is the host's own matter.
  struct swiftlet_isolated_line *line;
  uint32_t seat;
  int32_t *is_line_taken;
  // A state, shared by all instances in the process. Whoever finds that the process has failed sets it.
  int32_t *state;
  // Is written to when the audio thread finds that the child has failed.
  int alarm;
  // Whether nobody listens. Then a block may take nine seconds.
  uint32_t is_offline;
  // Whether a failed instance passes on what it hears.
  uint32_t is_bypassed;
  // How many frames later than in the same cycle outputs of sound are heard: 0, or `longest`. If it is `longest`, the audio
  // thread does not wait for the block that it orders, but takes the outputs of the block before.
  uint32_t lag;
  // The ring's next frame to be heard, and how many frames before it the child still processes.
  uint32_t place, ordered;
  // The first instance of the child, and the next one; NULL behind the last one, whose `run` has all of them processed.
  struct swiftlet_isolated *first, *next;
  // Where this is called through from Swift.
  void *owner;
};

// LV2's functions `run` and `connect_port` of an isolated instance. For the last one of a child the first waits for the child: the one wait of the
// audio thread, at most `patience` long.
void swiftlet_isolated_run(void *instance, uint32_t frames);
void swiftlet_isolated_connect(void *instance, uint32_t port, void *memory);

// Lets a thread run on all its processors again that was kept on one since it ran an isolated plugin. At the end of each cycle.
__attribute__((swift_attr("@_noLocks"), swift_attr("@_noAllocation"))) void swiftlet_leave_processor(void);

// Sends control values and events without a block, for a plugin that reads its controls in `activate`, and clears the rings. The
// audio thread is away, and the child has done its last order.
void swiftlet_send_inputs(struct swiftlet_isolated *instance);

// Whether an order is not done yet.
int swiftlet_is_at_work(const struct swiftlet_isolated_order *order, const struct swiftlet_isolated_answer *answer);
// Has the child's audio thread end. While nobody gives orders.
void swiftlet_end_orders(struct swiftlet_isolated_order *order, struct swiftlet_isolated_answer *answer);

// From now on the audio thread does not wait for the child any more.
void swiftlet_fail_isolated(int32_t *state);

// The child's side. Waits for an order that is not done and not on the line, and returns its turn.
uint32_t swiftlet_await_order(const struct swiftlet_isolated_order *order, const struct swiftlet_isolated_answer *answer);
// As swiftlet_await_order for the line, of which the child knows the last bell. Sets the seat that is ordered.
uint32_t swiftlet_await_line(struct swiftlet_isolated_line *line, uint32_t bell, uint32_t *seat);
void swiftlet_give_answer(struct swiftlet_isolated_answer *answer, uint32_t turn);
// Takes over the processor of the thread that orders, and its priority less one, if they have changed. `thread` and `processor` are
// those of the last time.
void swiftlet_follow(const struct swiftlet_isolated_order *order, int32_t *thread, int32_t *processor);

// A new descriptor that becomes readable once eight bytes are written to it, which never waits; −1 without memory.
int swiftlet_new_alarm(void);
