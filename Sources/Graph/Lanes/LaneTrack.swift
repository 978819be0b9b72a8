// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import SwiftletTimeline
import Synchronization

/// Owns a lane's table and state for the plans that follow it. Created and freed on control threads.
@safe final class LaneTrack {
  let automation: Automation
  /// The length of the glide that smooths jumps of a volume or pan, in seconds.
  let declick: Double
  private let table: UnsafeMutablePointer<AutomationTable>
  private let state: State
  private let number: Int32
  private static let numbers = Atomic<Int32>(0)

  /// The state that a lane passes on to its successor.
  @safe private final class State {
    let memory: UnsafeMutablePointer<LaneState>

    init(isHeard: Bool) {
      unsafe memory = .allocate(capacity: 1)
      unsafe memory.initialize(to: LaneState(isHeard: isHeard))
    }

    deinit { unsafe memory.deallocate() }
  }

  /// Creates a lane at a sample rate that replaces `before`, if given.
  ///
  /// - Parameter isHeard: whether the automated value is audible already.
  init(
    _ automation: Automation, sampleRate: Double, declick: Double = 0, isHeard: Bool,
    inPlaceOf before: LaneTrack?
  ) {
    self.automation = automation
    self.declick = declick
    unsafe table = .allocate(capacity: 1)
    unsafe table.initialize(to: AutomationTable(automation, sampleRate: sampleRate, declick: declick))
    state = before?.state ?? State(isHeard: isHeard)
    // 0 means no lane.
    number = max(Self.numbers.wrappingAdd(1, ordering: .relaxed).newValue & .max, 1)
  }

  deinit {
    unsafe table.deinitialize(count: 1)
    unsafe table.deallocate()
  }

  /// Returns the lane as a plan stores it.
  func memory(parameter: Int, isWhole: Bool) -> LaneMemory {
    unsafe LaneMemory(
      table: UnsafePointer(table), state: state.memory, number: number,
      parameter: Int32(clamping: parameter), isWhole: isWhole)
  }
}
