// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import CSwiftletProbe
import CSwiftletRealtime
import Foundation
import SwiftletEffects
import SwiftletGraph
import SwiftletSignal
import Synchronization

/// A graph controller whose renderer runs on a separate thread, as under JACK, with counters of its calls into the
/// Swift runtime.
final class RealTimeRig: @unchecked Sendable {
  // @unchecked: only the thread uses `counts` until it has ended. Everything that both sides use is atomic.
  let controller: GraphController
  let cycles = Atomic(0)
  private let mustEnd = Atomic(false)
  private let ended = DispatchSemaphore(value: 0)
  private let memory = BackendMemory()
  private var counts = probe_counts()

  init(_ controller: GraphController = GraphController(sampleRate: 48_000, longestBlock: 256)) {
    self.controller = controller
    controller.isLive = true
  }

  /// Starts rendering, about ten times as fast as real time, so that the control thread gets processor time.
  func start() {
    let thread = Thread { [self] in
      run()
      ended.signal()
    }
    thread.stackSize = 1 << 20
    thread.start()
  }

  /// Ends the thread, and returns its calls into the runtime while it rendered.
  func stop() -> probe_counts {
    mustEnd.store(true, ordering: .releasing)
    ended.wait()
    return counts
  }

  private func run() {
    let renderer = Unmanaged.passUnretained(controller.renderer)
    var frame: Int64 = 0
    while !mustEnd.load(ordering: .acquiring) {
      let count = 1 + Int(frame % 64) * 3
      let cycle = memory.cycle(at: frame, count: count)
      let found = Self.witness(renderer, cycle)
      counts.retains += found.retains
      counts.releases += found.releases
      counts.allocations += found.allocations
      counts.accesses += found.accesses
      counts.onces += found.onces
      frame += Int64(count)
      if cycles.add(1, ordering: .relaxed).newValue % 8 == 0 { usleep(1000) }
    }
  }

  @inline(never) private static func witness(_ renderer: Unmanaged<Renderer>, _ cycle: Cycle) -> probe_counts
  {
    renderer._withUnsafeGuaranteedRef {
      probe_begin()
      $0.render(cycle)
      return probe_end()
    }
  }
}

/// The memory of a backend: a stereo input and output, and an input and output for events.
private final class BackendMemory {
  private let samples: UnsafeMutablePointer<Float>
  private let channels: UnsafeMutablePointer<UnsafeMutablePointer<Float>>
  private let buses: UnsafeMutablePointer<BusMemory>
  private let events: [EventBuffer]
  private let bytes: UnsafeMutableRawPointer

  init() {
    samples = .allocate(capacity: 4 * 256)
    samples.initialize(repeating: 0, count: 4 * 256)
    channels = .allocate(capacity: 4)
    for channel in 0..<4 { (channels + channel).initialize(to: samples + channel * 256) }
    bytes = .allocate(byteCount: 8192, alignment: 16)
    bytes.initializeMemory(as: UInt8.self, repeating: 0, count: 8192)
    events = [EventBuffer(over: bytes, byteCount: 4096), EventBuffer(over: bytes + 4096, byteCount: 4096)]
    buses = .allocate(capacity: 4)
    (buses + 0).initialize(to: BusMemory(channels: channels, channelCount: 2))
    (buses + 1).initialize(to: BusMemory(events: events[0], channels: channels))
    (buses + 2).initialize(to: BusMemory(channels: channels + 2, channelCount: 2))
    (buses + 3).initialize(to: BusMemory(events: events[1], channels: channels))
  }

  deinit {
    samples.deallocate()
    channels.deallocate()
    buses.deallocate()
    bytes.deallocate()
  }

  /// Returns a cycle with noise at the input, an occasional NaN, and a note.
  func cycle(at frame: Int64, count: Int) -> Cycle {
    var state = UInt32(truncatingIfNeeded: frame) | 1
    for index in 0..<count {
      state = state &* 1_664_525 &+ 1_013_904_223
      samples[index] = Float(Int32(bitPattern: state)) / Float(Int32.max) * 0.1
      samples[256 + index] = -samples[index]
    }
    if frame % 100_000 < 200 { samples[0] = .nan }
    events[0].clear()
    var note: (UInt8, UInt8, UInt8) = (0x90, 60, 100)
    _ = withUnsafeBytes(of: &note) {
      events[0].append(
        EventHeader(frame: frame, type: EventHeader.midi, size: 3),
        bytes: $0.baseAddress ?? UnsafeRawPointer(bytes))
    }
    return Cycle(
      frame: frame, frameCount: count, transport: Transport(isRolling: true, position: frame, tempo: 120),
      inputs: buses, inputCount: 2, outputs: buses + 2, outputCount: 2)
  }
}
