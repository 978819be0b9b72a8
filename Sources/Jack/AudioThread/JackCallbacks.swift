// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import CSwiftletJack
internal import CSwiftletRealtime
internal import Synchronization

// JACK calls these on its own threads, so they are file-level functions: a closure made on the main actor would trap
// there. Only `process` runs in cycles. None of them calls the server.

/// Registers the callbacks with JACK, before the client is activated. `opened` must outlive the JACK client.
func registerCallbacks(of client: OpaquePointer, for opened: OpenClient) {
  let context = Unmanaged.passUnretained(opened).toOpaque()
  jack_set_thread_init_callback(client, prepareThread, nil)
  jack_set_process_callback(client, process, opened.edge)
  // jackd2 calls only the first of these two. PipeWire, which gives no reasons, calls only the second.
  jack_on_info_shutdown(client, shutDown, context)
  jack_on_shutdown(client, shutDownWithoutReason, context)
  jack_set_xrun_callback(client, xrun, context)
  jack_set_buffer_size_callback(client, bufferSize, context)
  jack_set_sample_rate_callback(client, sampleRate, context)
  jack_set_freewheel_callback(client, freewheel, context)
  jack_set_port_registration_callback(client, portRegistration, context)
  jack_set_port_connect_callback(client, portConnect, context)
  jack_set_latency_callback(client, latency, context)
}

private func opened(_ context: UnsafeMutableRawPointer?) -> OpenClient? {
  context.map { Unmanaged<OpenClient>.fromOpaque($0).takeUnretainedValue() }
}

/// Gives a JACK thread, before its first cycle, the signal stack on which a crash is reported.
private func prepareThread(_ context: UnsafeMutableRawPointer?) { swiftlet_prepare_thread(1) }

@_noLocks @_noAllocation
private func process(_ frameCount: jack_nframes_t, _ context: UnsafeMutableRawPointer?) -> Int32 {
  guard let context else { return 0 }
  context.assumingMemoryBound(to: AudioThreadContext.self).pointee.run(Int(frameCount))
  return 0
}

/// Must be safe to call from a signal handler, as JACK requires.
private func shutDown(
  _ code: jack_status_t, _ reason: UnsafePointer<CChar>?, _ context: UnsafeMutableRawPointer?
) {
  guard let mailbox = opened(context)?.mailbox else { return }
  mailbox.shutdownStatus.store(code.rawValue, ordering: .relaxed)
  mailbox.isShutDown.store(true, ordering: .releasing)
  mailbox.ring()
}

private func shutDownWithoutReason(_ context: UnsafeMutableRawPointer?) {
  shutDown(JackServerError, nil, context)
}

private func xrun(_ context: UnsafeMutableRawPointer?) -> Int32 {
  guard let opened = opened(context) else { return 0 }
  let delay = jack_get_xrun_delayed_usecs(opened.client)
  opened.mailbox.lastDelay.store(delay.bitPattern, ordering: .relaxed)
  opened.mailbox.xruns.add(1, ordering: .releasing)
  opened.mailbox.ring()
  return 0
}

private func bufferSize(_ frameCount: jack_nframes_t, _ context: UnsafeMutableRawPointer?) -> Int32 {
  opened(context)?.mailbox.post(.blockLength(Int(frameCount)))
  return 0
}

private func sampleRate(_ rate: jack_nframes_t, _ context: UnsafeMutableRawPointer?) -> Int32 {
  opened(context)?.mailbox.post(.sampleRate(Double(rate)))
  return 0
}

private func freewheel(_ isStarting: Int32, _ context: UnsafeMutableRawPointer?) {
  guard let opened = opened(context) else { return }
  // Discard old grants: their frames may no longer be prepared.
  opened.edge.pointee.budget.store(0, ordering: .relaxed)
  opened.edge.pointee.isFreewheeling.store(isStarting != 0, ordering: .releasing)
  opened.mailbox.post(.freewheeling(isStarting != 0))
}

private func portRegistration(_ port: jack_port_id_t, _ isNew: Int32, _ context: UnsafeMutableRawPointer?) {
  opened(context)?.mailbox.post(isNew != 0 ? .portCame : .portWent(port))
}

/// Reads the names here, while both ports still have them.
private func portConnect(
  _ a: jack_port_id_t, _ b: jack_port_id_t, _ isNew: Int32, _ context: UnsafeMutableRawPointer?
) {
  guard let opened = opened(context), let source = opened.name(of: a),
    let destination = opened.name(of: b)
  else { return }
  let connection = PortConnection(from: source, to: destination)
  opened.mailbox.post(
    isNew != 0 ? .connected(connection) : .disconnected(connection, source: a, destination: b))
}

private func latency(_ mode: jack_latency_callback_mode_t, _ context: UnsafeMutableRawPointer?) {
  guard let opened = opened(context) else { return }
  opened.publishLatency(mode)
  opened.mailbox.post(.latency)
}
