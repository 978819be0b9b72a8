// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import SwiftletSignal

/// A change of a wire's channel strip, sent to the audio thread without a new plan.
///
/// All targets of a strip are sent together, so that changes made together are heard together. The wire then glides
/// to them as if a new plan had set them.
struct StripChange: BitwiseCopyable {
  /// The maximum number of waiting changes; further ones are applied by a new plan.
  static let capacity = 1024

  /// The generation of the plan that it is for. Later plans contain the change already.
  var generation: Int
  /// The index of the strip in the plan, and its new targets.
  var index: Int32, targets: StripTargets
}

extension Renderer {
  /// Applies the changes that were sent for the current plan. Those for a later plan wait.
  @_noLocks @_noAllocation func takeMoves(_ plan: UnsafeMutablePointer<PlanMemory>) {
    while let move = moves.peek() {
      guard unsafe move.generation <= plan.pointee.generation else { return }
      if unsafe move.generation == plan.pointee.generation {
        unsafe plan.pointee.stripTargets[Int(move.index)] = move.targets
      }
      _ = moves.pop()
    }
  }
}
