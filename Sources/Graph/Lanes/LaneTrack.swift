// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import SwiftletTimeline
import Synchronization

/// Keeps a lane's table and its state alive for the plans that follow it. Made and freed on control threads.
@safe final class LaneTrack {
  let automation: Automation
  private let table: UnsafeMutablePointer<AutomationTable>
  private let state: State
  private let number: Int32
  private static let numbers = Atomic<Int32>(0)

  /// What a lane hands on to the one that takes its place.
  @safe private final class State {
    let memory: UnsafeMutablePointer<LaneState>

    init(isHeard: Bool) {
      unsafe memory = .allocate(capacity: 1)
      unsafe memory.initialize(to: LaneState(isHeard: isHeard))
    }

    deinit { unsafe memory.deallocate() }
  }

  /// A lane at a rate, in the place of `before`, if there was one.
  ///
  /// - Parameter isHeard: whether what it moves sounds already.
  init(_ automation: Automation, sampleRate: Double, isHeard: Bool, inPlaceOf before: LaneTrack?) {
    self.automation = automation
    unsafe table = .allocate(capacity: 1)
    unsafe table.initialize(to: AutomationTable(automation, sampleRate: sampleRate))
    state = before?.state ?? State(isHeard: isHeard)
    // 0 is no lane.
    number = max(Self.numbers.wrappingAdd(1, ordering: .relaxed).newValue & .max, 1)
  }

  deinit {
    unsafe table.deinitialize(count: 1)
    unsafe table.deallocate()
  }

  /// The lane as a plan holds it.
  func memory(parameter: Int, isWhole: Bool) -> LaneMemory {
    unsafe LaneMemory(
      table: UnsafePointer(table), state: state.memory, number: number,
      parameter: Int32(clamping: parameter), isWhole: isWhole)
  }
}
