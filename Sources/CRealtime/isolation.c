// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

#define _GNU_SOURCE
#include "CSwiftletRealtime.h"
#include "futex.h"
#include "isolation_caller.h"

#include <errno.h>
#include <linux/futex.h>
#include <sys/eventfd.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

// The header of an LV2 atom, and the size of a sequence's. CRealtime depends on nothing else of LV2.
struct atom { uint32_t size, type; };
enum { SEQUENCE_HEAD = 16 };

static void give_order(
  struct swiftlet_isolated_order *order, struct swiftlet_isolated_answer *answer, uint32_t order_number) {
  __atomic_store_n(&order->order_number, order_number, __ATOMIC_RELEASE);
  __atomic_add_fetch(&answer->bell, 1, __ATOMIC_RELEASE);
  wake(&answer->bell);
}

// Gives an order on the line. A child that has just completed another order is still awake and sees the bell before it
// sleeps.
static void call_line(
  struct swiftlet_isolated_order *order, struct swiftlet_isolated_line *line, uint32_t plugin_number,
  uint32_t order_number) {
  __atomic_store_n(&order->order_number, order_number, __ATOMIC_RELEASE);
  __atomic_store_n(&line->plugin_number, plugin_number, __ATOMIC_RELAXED);
  __atomic_add_fetch(&line->bell, 1, __ATOMIC_SEQ_CST);
  if (__atomic_load_n(&line->is_asleep, __ATOMIC_SEQ_CST)) wake(&line->bell);
}

static int64_t now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}

static uint32_t at_most(uint32_t value, uint32_t limit) { return value < limit ? value : limit; }

// Waits until the order is completed. Returns 0 if the timeout elapses or the child fails first. A child that has
// ended wakes no waiter, so the wait rechecks the state every 20 ms.
static int await_answer(const struct swiftlet_isolated *self, uint32_t order_number, int64_t timeout) {
  enum { LOOK = 20 * 1000000 };
  const uint32_t *word = &self->answer->order_number;
  const int64_t end = now() + timeout;
  for (;;) {
    const uint32_t seen = __atomic_load_n(word, __ATOMIC_ACQUIRE);
    if (seen == order_number) return 1;
    const int64_t left = end - now();
    if (left <= 0 || __atomic_load_n(self->state, __ATOMIC_ACQUIRE) != SWIFTLET_ISOLATED_PLAYS) return 0;
    const struct timespec time = {0, left < LOOK ? left : LOOK};
    syscall(SYS_futex, word, FUTEX_WAIT, seen, &time, NULL, 0);
  }
}

static void send_inputs(struct swiftlet_isolated *self, uint32_t frames) {
  char *area = (char *)self->order;
  for (uint32_t i = 0; i < self->port_count; i++) {
    const struct swiftlet_isolated_port *port = self->ports + i;
    if (!port->memory) continue;
    switch (port->kind) {
    case SWIFTLET_ISOLATED_AUDIO_IN: memcpy(area + port->offset, port->memory, frames * sizeof(float)); break;
    case SWIFTLET_ISOLATED_CONTROL_IN: memcpy(area + port->offset, port->memory, sizeof(float)); break;
    case SWIFTLET_ISOLATED_EVENTS_IN: {
      const struct atom *head = port->memory;
      memcpy(area + port->offset, head, at_most(sizeof *head + head->size, port->capacity));
      break;
    }
    default: break;
    }
  }
}

// Returns the ring index for the frames that the child is processing: where the frames lay that were played last.
static uint32_t ordered_index(const struct swiftlet_isolated *self) {
  return (self->read_index + self->lag - self->ordered) % self->lag;
}

// Plays the delayed frames from the ring.
static void play_ring(struct swiftlet_isolated *self, uint32_t frames) {
  const uint32_t first = at_most(frames, self->lag - self->read_index);
  for (uint32_t i = 0; i < self->port_count; i++) {
    const struct swiftlet_isolated_port *port = self->ports + i;
    if (port->kind != SWIFTLET_ISOLATED_AUDIO_OUT || !port->memory) continue;
    memcpy(port->memory, port->held + self->read_index, first * sizeof(float));
    memcpy((float *)port->memory + first, port->held, (frames - first) * sizeof(float));
  }
  self->read_index = (self->read_index + frames) % self->lag;
  self->ordered = frames;
}

static void take_sound(
  const struct swiftlet_isolated *self, struct swiftlet_isolated_port *port, const float *from, uint32_t frames) {
  const uint32_t start = self->lag ? ordered_index(self) : 0;
  const uint32_t first = self->lag ? at_most(frames, self->lag - start) : frames;
  float *to = self->lag ? port->held : port->memory;
  memcpy(to + start, from, first * sizeof(float));
  memcpy(to, from + first, (frames - first) * sizeof(float));
  port->last = to[first < frames ? frames - first - 1 : start + frames - 1];
}

static void take_outputs(struct swiftlet_isolated *self, uint32_t frames) {
  const char *area = (const char *)self->answer;
  for (uint32_t i = 0; i < self->port_count; i++) {
    struct swiftlet_isolated_port *port = self->ports + i;
    if (!port->memory) continue;
    switch (port->kind) {
    case SWIFTLET_ISOLATED_AUDIO_OUT:
      if (frames > 0) take_sound(self, port, (const float *)(area + port->offset), frames);
      break;
    case SWIFTLET_ISOLATED_CONTROL_OUT: memcpy(port->memory, area + port->offset, sizeof(float)); break;
    case SWIFTLET_ISOLATED_EVENTS_OUT: {
      struct atom head;
      memcpy(&head, area + port->offset, sizeof head);
      head.size = at_most(head.size, port->capacity - sizeof head);
      memcpy((char *)port->memory + sizeof head, area + port->offset + sizeof head, head.size);
      memcpy(port->memory, &head, sizeof head);
      break;
    }
    default: break;
    }
  }
}

// Renders the outputs of an instance whose child has failed: audio outputs ramp within this block to silence, or to
// the input with the same index; event outputs are empty. `inputs` is the area with the block's inputs; NULL for the
// connected buffers.
static void replace(struct swiftlet_isolated *self, uint32_t frames, const char *inputs) {
  uint32_t input = 0;
  for (uint32_t i = 0; i < self->port_count; i++) {
    struct swiftlet_isolated_port *port = self->ports + i;
    if (port->kind == SWIFTLET_ISOLATED_EVENTS_OUT && port->memory) {
      const struct atom head = {SEQUENCE_HEAD - sizeof head, self->sequence};
      memset(port->memory, 0, SEQUENCE_HEAD);
      memcpy(port->memory, &head, sizeof head);
    }
    if (port->kind != SWIFTLET_ISOLATED_AUDIO_OUT || !port->memory) continue;
    const float *in = NULL;
    if (self->is_bypassed) {
      while (input < self->port_count && self->ports[input].kind != SWIFTLET_ISOLATED_AUDIO_IN) input++;
      if (input < self->port_count) {
        const struct swiftlet_isolated_port *source = self->ports + input++;
        in = inputs ? (const float *)(inputs + source->offset) : source->memory;
      }
    }
    float *out = self->lag ? port->held : port->memory;
    for (uint32_t frame = 0; frame < frames; frame++) {
      const float rest = 1 - (float)(frame + 1) / frames, dry = in ? in[frame] : 0;
      const uint32_t slot = self->lag ? (ordered_index(self) + frame) % self->lag : frame;
      out[slot] = port->last == 0 ? dry : port->last * rest + dry * (1 - rest);
    }
    port->last = 0;
  }
}
static void play_failed(struct swiftlet_isolated *self, uint32_t frames) { replace(self, frames, NULL); }
static void replace_ordered(struct swiftlet_isolated *self, uint32_t frames) {
  replace(self, frames, (const char *)self->order);
}

// After a failure: writes this block into the ring, so that it is heard `lag` frames later. `replace_ordered` has
// replaced the order that was not completed, with the ramp to silence or to the input, so no order is outstanding.
static void hold_failed(struct swiftlet_isolated *self, uint32_t frames) {
  play_failed(self, frames);
  self->ordered = 0;
}

void swiftlet_send_inputs(struct swiftlet_isolated *instance) {
  for (uint32_t i = 0; instance->lag && i < instance->port_count; i++) {
    struct swiftlet_isolated_port *port = instance->ports + i;
    if (port->held) memset(port->held, 0, instance->lag * sizeof(float));
  }
  instance->read_index = instance->ordered = 0;
  send_inputs(instance, 0);
}

// Returns the timeout for a block, in nanoseconds.
static int64_t timeout_of(const struct swiftlet_isolated *self, uint32_t order_number, uint32_t frames) {
  enum { OFFLINE = 9, STARTING_ORDERS = 64, STARTING = 20 * 1000000 };
  if (self->is_offline) return OFFLINE * (int64_t)1000000000;
  // At first the child lacks the audio thread's priority, or the calling thread is not real-time. An overrun does less
  // harm than a restart of the plugin.
  const int64_t starting = order_number < STARTING_ORDERS || !swiftlet_caller.is_realtime ? STARTING : 0;
  const int64_t of_frames = frames * self->timeout_per_frame;
  const int64_t usual = self->least_timeout > of_frames ? self->least_timeout : of_frames;
  return usual > starting ? usual : starting;
}

// Applies a function to all instances in a child. `last` is the last one.
static void each(struct swiftlet_isolated *last, void (*body)(struct swiftlet_isolated *, uint32_t), uint32_t frames) {
  for (struct swiftlet_isolated *one = last->first; one; one = one->next) body(one, frames);
}

static int plays(const struct swiftlet_isolated *self, uint32_t frames) {
  return __atomic_load_n(self->state, __ATOMIC_ACQUIRE) == SWIFTLET_ISOLATED_PLAYS && frames <= self->longest;
}

// Orders a block from the child, on the line or directly. Returns the order's number.
static uint32_t order_block(struct swiftlet_isolated *self, uint32_t frames, int32_t processor, int is_on_line) {
  each(self, send_inputs, frames);
  struct swiftlet_isolated_order *order = self->order;
  order->frames = frames;
  __atomic_store_n(&order->is_alone, self->is_offline, __ATOMIC_RELAXED);
  order->thread = swiftlet_caller.number;
  order->processor = processor;
  order->float_mode = rt_float_mode();
  order->is_on_line = is_on_line;
  const uint32_t order_number = order->order_number + 1;
  if (is_on_line) call_line(order, self->line, self->plugin_number, order_number);
  else give_order(order, self->answer, order_number);
  return order_number;
}

// Waits for a block and takes the outputs. If no answer arrives in time, marks the child as failed and calls
// `otherwise`. Offline, the child's monitor marks it once it has reported the failure, since the render might end
// before that.
static void await_block(
  struct swiftlet_isolated *self, uint32_t order_number, uint32_t frames,
  void (*otherwise)(struct swiftlet_isolated *, uint32_t)) {
  const int64_t reporting = 5 * (int64_t)1000000000;
  if (await_answer(self, order_number, timeout_of(self, order_number, frames))) {
    each(self, take_outputs, frames);
    return;
  }
  const uint64_t one = 1;
  (void)!write(self->alarm, &one, sizeof one);
  if (self->is_offline) await_answer(self, order_number, reporting);
  int32_t expected = SWIFTLET_ISOLATED_PLAYS;
  __atomic_compare_exchange_n(
    self->state, &expected, SWIFTLET_ISOLATED_FAILED, 0, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED);
  each(self, otherwise, frames);
}

// Gives the child a whole block's time, on a processor that the kernel chooses. Takes its outputs in the next block.
static void run_later(struct swiftlet_isolated *self, uint32_t frames) {
  if (self->ordered) await_block(self, self->order->order_number, self->ordered, replace_ordered);
  const int is_ordered = plays(self, frames);
  if (is_ordered) order_block(self, frames, -1, 0);
  each(self, play_ring, frames);
  if (!is_ordered) each(self, hold_failed, frames);
}

// Has the child process a block and waits for it. Only real-time threads use the line, so that no control thread can
// block one.
static void run_now(struct swiftlet_isolated *self, uint32_t frames) {
  const int is_on_line = swiftlet_caller.is_realtime && !__atomic_exchange_n(self->is_line_taken, 1, __ATOMIC_ACQUIRE);
  await_block(self, order_block(self, frames, swiftlet_stay_on_processor(), is_on_line), frames, play_failed);
  if (is_on_line) __atomic_store_n(self->is_line_taken, 0, __ATOMIC_RELEASE);
}

void swiftlet_isolated_run(void *instance, uint32_t frames) {
  struct swiftlet_isolated *self = instance;
  // The last instance's call runs all instances of the child.
  if (self->next) return;
  swiftlet_identify_caller();
  if (self->lag) {
    // The host splits longer blocks.
    if (frames <= self->lag) run_later(self, frames);
  } else if (plays(self, frames)) {
    run_now(self, frames);
  } else {
    each(self, play_failed, frames);
  }
}

void swiftlet_isolated_connect(void *instance, uint32_t port, void *memory) {
  struct swiftlet_isolated *self = instance;
  if (port < self->port_count) self->ports[port].memory = memory;
}

int swiftlet_is_ordered_alone(const struct swiftlet_isolated_order *order) {
  return __atomic_load_n(&order->is_alone, __ATOMIC_RELAXED) != 0;
}

int swiftlet_is_at_work(const struct swiftlet_isolated_order *order, const struct swiftlet_isolated_answer *answer) {
  const uint32_t last = __atomic_load_n(&order->order_number, __ATOMIC_ACQUIRE);
  return last != __atomic_load_n(&answer->order_number, __ATOMIC_ACQUIRE);
}

void swiftlet_end_orders(struct swiftlet_isolated_order *order, struct swiftlet_isolated_answer *answer) {
  order->frames = UINT32_MAX;
  order->is_on_line = 0;
  give_order(order, answer, order->order_number + 1);
}

void swiftlet_fail_isolated(int32_t *state) {
  __atomic_store_n(state, SWIFTLET_ISOLATED_FAILED, __ATOMIC_RELEASE);
}

int swiftlet_new_alarm(void) { return eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK); }
