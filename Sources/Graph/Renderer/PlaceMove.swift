// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import SwiftletSignal

/// A fader, a pan or a mute on its way to the audio thread, which no new plan is needed for.
///
/// All that a wire is multiplied by goes as one, so that what is changed together is heard together. From there the
/// wire glides as if a plan had asked for it.
struct PlaceMove: BitwiseCopyable {
  /// How many may wait: more are laid down in a new plan.
  static let capacity = 1024

  /// The plan that it is for. A later plan knows of it already.
  var generation: Int
  /// Which of the plan's places, and where that is from now on.
  var index: Int32, place: WirePlace
}

extension Renderer {
  /// Moves what was sent for the plan that plays. What is for a plan that has not come yet waits.
  @_noLocks @_noAllocation func takeMoves(_ plan: UnsafeMutablePointer<PlanMemory>) {
    while let move = moves.peek() {
      guard unsafe move.generation <= plan.pointee.generation else { return }
      if unsafe move.generation == plan.pointee.generation {
        unsafe plan.pointee.places[Int(move.index)] = move.place
      }
      _ = moves.pop()
    }
  }
}
