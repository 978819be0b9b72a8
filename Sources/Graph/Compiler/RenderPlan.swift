// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import SwiftletSignal
import Synchronization

/// A compiled graph: what the audio thread does in a cycle, and what the control thread knows of it.
///
/// It owns the memory that its steps work in, and keeps their processors alive. It is freed on the control
/// thread, after the renderer has let go of it.
// @unchecked: immutable once made, except for the memory behind `memory`, which only the audio thread writes, and
// for what the schedule says of places, which only the control thread knows of.
@safe final class RenderPlan: @unchecked Sendable {
  /// What the audio thread reads.
  let memory: UnsafeMutablePointer<PlanMemory>
  /// The steps in order, with where their strips are by now. They keep processors and lanes alive.
  private(set) var schedule: Schedule
  /// Where each strip is found: which of the plan's places is its.
  private(set) lazy var strips: [Strip: Int] = {
    Dictionary(schedule.strips.indices.map { (schedule.strips[$0].strip, $0) }) { _, last in last }
  }()
  /// What each step is called.
  var labels: [String] { schedule.entries.indices.map(schedule.label) }
  /// The slot of each step; −1 for helpers.
  var slots: [Int] { schedule.entries.indices.map { schedule.entries[$0].slot } }
  /// How late each tap and each way out is, in frames.
  let tapLatency: [TapID: Int], outputLatency: [NodeID: Int]
  /// How long new nodes take to fill with sound, in frames.
  let warmUp: Int
  /// What the user should know.
  let warnings: [String]

  private let ownLatency: [(processor: Processor, frames: Int)]
  private let releases: [EventWire]
  private let owned: [UnsafeMutableRawPointer]
  private let eventMemory: EventMemories

  init(
    _ schedule: Schedule, memory: PlanMemory, owned: [UnsafeMutableRawPointer], events: EventMemories,
    warmUp: Int
  ) {
    unsafe self.memory = .allocate(capacity: 1)
    unsafe self.memory.initialize(to: memory)
    unsafe self.owned = owned
    eventMemory = events
    self.schedule = schedule
    self.warmUp = warmUp
    tapLatency = schedule.tapLatency
    outputLatency = schedule.outputLatency
    warnings = schedule.warnings
    ownLatency = schedule.ownLatency
    releases = schedule.releases
  }

  deinit {
    unsafe owned.forEach { unsafe $0.deallocate() }
    unsafe memory.deallocate()
  }

  /// The plan as text: the same graph gives the same text.
  var text: String { schedule.text }

  /// Notes that a strip has been sent elsewhere.
  func set(_ move: Move) { schedule.moveStrip(move.index, to: move.place) }

  /// The number the renderer knows the plan by.
  var generation: Int { unsafe memory.pointee.generation }

  /// Whether notes of wires that have gone wait to be released.
  var hasReleases: Bool { !releases.isEmpty }

  /// Whether all of these are released, where `adopted` is the plan that is played.
  func hasReleased(adopted: Int) -> Bool {
    hasReleases && releases.allSatisfy { $0.isQuiet && $0.request.isCertain(adopted: adopted) }
  }

  /// Whether a processor's latency is no longer what the plan was compiled for.
  var hasOtherLatencies: Bool {
    ownLatency.contains { $0.processor.latency.load(ordering: .relaxed) != $0.frames }
  }
}

/// The event buffers of a plan, owned together.
final class EventMemories {
  private(set) var buffers: [EventBuffer] = []
  private var owned: [Holder] = []

  private final class Holder {
    let memory: EventMemory

    init(buses: Int) { memory = EventMemory(buses: buses) }
  }

  init(rooms: [Int]) {
    for room in rooms {
      let holder = Holder(buses: room)
      owned.append(holder)
      buffers.append(holder.memory.buffer)
    }
  }
}
