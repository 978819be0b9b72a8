// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

#pragma once
#include <errno.h>
#include <jack/jack.h>
#include <jack/metadata.h>
#include <jack/midiport.h>
#include <jack/statistics.h>
#include <jack/uuid.h>

// jack_client_open is variadic, which Swift cannot call.
static inline jack_client_t *swiftlet_jack_client_open(
    const char *name, jack_options_t options, jack_status_t *status, const char *server) {
  return server ? jack_client_open(name, options | JackServerName, status, server)
                : jack_client_open(name, options, status);
}

// The calls of libjack that JACK's documentation allows in the process callback, which the Swift compiler cannot know.
#define SWIFTLET_JACK_CYCLE                                                            \
  __attribute__((swift_attr("@_noLocks"), swift_attr("@_noAllocation"), always_inline)) \
  static inline

// Returns the address of a port's buffer in shared memory, which is valid for this cycle.
SWIFTLET_JACK_CYCLE void *swiftlet_jack_buffer(jack_port_t *port, jack_nframes_t frames) {
  return jack_port_get_buffer(port, frames);
}
// Returns the frame time at which this cycle began. Call it in the process callback only.
SWIFTLET_JACK_CYCLE jack_nframes_t swiftlet_jack_cycle_frame(const jack_client_t *client) {
  return jack_last_frame_time(client);
}
// Real-time safe according to JACK's documentation, and exact in the process callback.
SWIFTLET_JACK_CYCLE jack_transport_state_t swiftlet_jack_transport(
    const jack_client_t *client, jack_position_t *position) {
  return jack_transport_query(client, position);
}
// MIDI port buffers are made for the process callback: these functions only read or write the buffer.
SWIFTLET_JACK_CYCLE uint32_t swiftlet_jack_midi_count(void *buffer) {
  return jack_midi_get_event_count(buffer);
}
SWIFTLET_JACK_CYCLE uint32_t swiftlet_jack_midi_lost(void *buffer) {
  return jack_midi_get_lost_event_count(buffer);
}
SWIFTLET_JACK_CYCLE int swiftlet_jack_midi_get(jack_midi_event_t *event, void *buffer, uint32_t index) {
  return jack_midi_event_get(event, buffer, index);
}
SWIFTLET_JACK_CYCLE void swiftlet_jack_midi_clear(void *buffer) { jack_midi_clear_buffer(buffer); }
// Checks the free space first: if it does not suffice, libjack would write to its log, which locks.
SWIFTLET_JACK_CYCLE int swiftlet_jack_midi_write(
    void *buffer, jack_nframes_t offset, const void *bytes, size_t count) {
  if (jack_midi_max_event_size(buffer) < count) return ENOBUFS;
  return jack_midi_event_write(buffer, offset, (const jack_midi_data_t *)bytes, count);
}
