// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import SwiftletSignal
import Synchronization

/// A compiled graph: the steps that the audio thread runs in a cycle, and the control thread's data about them.
///
/// It owns the memory of its steps, and retains their processors. The control thread frees it after the renderer has
/// released it.
// @unchecked: immutable after `init`, except for the memory behind `memory`, which only the audio thread writes, and
// the strips' targets in the schedule, which only the control thread uses.
@safe final class RenderPlan: @unchecked Sendable {
  /// The data that the audio thread reads.
  let memory: UnsafeMutablePointer<PlanMemory>
  /// The steps in order, with their strips' current targets. They retain processors and lanes.
  private(set) var schedule: Schedule
  /// The index of each strip in the plan.
  private(set) lazy var strips: [Strip: Int] = {
    Dictionary(schedule.strips.indices.map { (schedule.strips[$0].strip, $0) }) { _, last in last }
  }()
  /// The labels of the steps.
  var labels: [String] { schedule.entries.indices.map(schedule.label) }
  /// The slot of each step; −1 for steps that belong to no node.
  var slots: [Int] { schedule.entries.indices.map { schedule.entries[$0].slot } }
  /// The latency of each tap and each output node, in frames.
  let tapLatency: [TapID: Int], outputLatency: [NodeID: Int]
  /// The time that new nodes take to fill with sound, in frames.
  let warmUp: Int
  /// Warnings for the user.
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

  /// The plan as text; the same graph produces the same text.
  var text: String { schedule.text }

  /// Records a strip's new targets.
  func set(_ move: Move) { schedule.moveStrip(move.index, to: move.targets) }

  /// The plan's generation.
  var generation: Int { unsafe memory.pointee.generation }

  /// Whether removed wires may have held notes to release.
  var hasReleases: Bool { !releases.isEmpty }

  /// Returns whether all of these notes are released, if `adopted` is the generation in use.
  func hasReleased(adopted: Int) -> Bool {
    hasReleases && releases.allSatisfy { $0.isQuiet && $0.request.isCertain(adopted: adopted) }
  }

  /// Whether a processor's latency differs from the one that the plan was compiled for.
  var hasOtherLatencies: Bool {
    ownLatency.contains { $0.processor.latency.load(ordering: .relaxed) != $0.frames }
  }
}

/// The event buffers of a plan.
final class EventMemories {
  private(set) var buffers: [EventBuffer] = []
  private var owned: [Holder] = []

  private final class Holder {
    let memory: EventMemory

    init(buses: Int) { memory = EventMemory(buses: buses) }
  }

  init(capacities: [Int]) {
    for capacity in capacities {
      let holder = Holder(buses: capacity)
      owned.append(holder)
      buffers.append(holder.memory.buffer)
    }
  }
}
