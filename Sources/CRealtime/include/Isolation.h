// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

// Isolated plugins: how the audio thread has a block processed in another process. Included by CSwiftletRealtime.h.
//
// The processes share two memory areas: one that only the host writes, and one that only the child writes. The host
// does not trust the child's area: it copies a size once, bounds it, and uses its copy.
#pragma once

#include <stdint.h>

// The header of the host's area: an order to process a block.
struct swiftlet_isolated_order {
  // Incremented with each order.
  uint32_t order_number;
  // The number of frames that all instances process; UINT32_MAX ends the processing thread.
  uint32_t frames;
  // Whether rendering is offline. The child then waits for the plugin's worker.
  uint32_t is_alone;
  // Whether the process's shared line thread processes the block; otherwise the plugin's own thread does.
  uint32_t is_on_line;
  // The ordering thread and its processor. The child's thread moves to that processor and takes that thread's priority
  // less one.
  int32_t thread, processor;
  uint64_t float_mode;
};

// The header of the child's area. Both processes map it for writing: waiting on a futex in memory that one process can
// only read costs about one microsecond more.
struct swiftlet_isolated_answer {
  // The number of the last completed order. The host waits for it to change.
  uint32_t order_number;
  // Changes with each order; the child waits for that. The order itself is only in the host's area.
  uint32_t bell;
  // How often the wait for the plugin's work timed out, and how often the plugin scheduled work where LV2 forbids it.
  uint32_t overdue_work, refused_work;
};

// The line: memory between a host audio thread and the one child thread that works for it, for every plugin in the
// process. That thread need not sleep and wake between one plugin and the next. Both processes write to it.
struct swiftlet_isolated_line {
  // Changes with each order; the child waits for that.
  uint32_t bell;
  // The ordered plugin's number in the process.
  uint32_t plugin_number;
  // Whether the child's thread sleeps, or is about to, and must be woken.
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

// A port of an instance: its location in the area of its direction, and the buffer that the host has connected.
struct swiftlet_isolated_port {
  uint32_t kind;
  // In bytes. An audio port has room for the longest block.
  uint32_t offset, capacity;
  // The last sample of an audio output, where the ramp to silence begins if the child fails.
  float last;
  void *memory;
  // For an audio output with a `lag`: the ring of delayed frames.
  float *held;
};

enum swiftlet_isolated_state { SWIFTLET_ISOLATED_PLAYS, SWIFTLET_ISOLATED_FAILED };

// An isolated instance in the host: the handle of its LV2 functions.
struct swiftlet_isolated {
  struct swiftlet_isolated_order *order;
  struct swiftlet_isolated_answer *answer;
  struct swiftlet_isolated_port *ports;
  uint32_t port_count, longest;
  // The URIDs of the atom types of event ports.
  uint32_t sequence, chunk;
  // The timeout for a block, in nanoseconds: the greater of `least_timeout` and `frames * timeout_per_frame`.
  int64_t least_timeout, timeout_per_frame;
  // The line to the process, the plugin's number there, and the host's flag for whether a thread uses the line.
  struct swiftlet_isolated_line *line;
  uint32_t plugin_number;
  int32_t *is_line_taken;
  // The child's state, shared by all instances in the process. Set by the thread that detects a failure.
  int32_t *state;
  // An eventfd that the audio thread writes to when it detects that the child has failed.
  int alarm;
  // Whether rendering is offline. The timeout for a block is then nine seconds.
  uint32_t is_offline;
  // Whether a failed instance passes its input through.
  uint32_t is_bypassed;
  // The delay of the audio outputs in frames: 0, or `longest`. If it is `longest`, the audio thread does not wait for
  // the block that it orders, but plays the outputs of the block before.
  uint32_t lag;
  // The ring's read position, and the number of frames before it that the child is still processing.
  uint32_t read_index, ordered;
  // The first instance in the child, and the next one; NULL after the last one, whose `run` processes all instances.
  struct swiftlet_isolated *first, *next;
  // The Swift object that this instance belongs to.
  void *owner;
};

// The LV2 functions `run` and `connect_port` of an isolated instance. `run` of the last instance in a child waits for
// the child, at most for the timeout: the only wait of the audio thread in real time.
void swiftlet_isolated_run(void *instance, uint32_t frames);
void swiftlet_isolated_connect(void *instance, uint32_t port, void *memory);

// Restores the processor affinity of a thread that was pinned to one processor while it ran isolated plugins. Called
// at the end of each cycle.
__attribute__((swift_attr("@_noLocks"), swift_attr("@_noAllocation"))) void swiftlet_leave_processor(void);

// Sends control values and events without a block, for a plugin that reads its controls in `activate`, and clears the
// rings. Call it while the audio thread does not use the instance and the child has completed its last order.
void swiftlet_send_inputs(struct swiftlet_isolated *instance);

// Returns whether the last order is for a block that is rendered offline. Any thread.
int swiftlet_is_ordered_alone(const struct swiftlet_isolated_order *order);
// Returns whether an order is not completed yet.
int swiftlet_is_at_work(const struct swiftlet_isolated_order *order, const struct swiftlet_isolated_answer *answer);
// Ends the child's audio thread. Call it while no thread gives orders.
void swiftlet_end_orders(struct swiftlet_isolated_order *order, struct swiftlet_isolated_answer *answer);

// Marks the child as failed: the audio thread no longer waits for it.
void swiftlet_fail_isolated(int32_t *state);

// In the child: waits for an order that is not completed and not on the line, and returns its number.
uint32_t swiftlet_await_order(const struct swiftlet_isolated_order *order, const struct swiftlet_isolated_answer *answer);
// As swiftlet_await_order, for the line. `bell` is the last value that the child has seen. Sets `plugin_number` to
// the ordered plugin.
uint32_t swiftlet_await_line(struct swiftlet_isolated_line *line, uint32_t bell, uint32_t *plugin_number);
void swiftlet_give_answer(struct swiftlet_isolated_answer *answer, uint32_t order_number);
// Moves the calling thread to the ordering thread's processor, and gives it that thread's priority less one, if either
// has changed. `thread` and `processor` hold the values of the last call.
void swiftlet_follow(const struct swiftlet_isolated_order *order, int32_t *thread, int32_t *processor);

// Returns a new eventfd, which becomes readable when eight bytes are written to it; the write never blocks. Returns −1
// if none can be made.
int swiftlet_new_alarm(void);
