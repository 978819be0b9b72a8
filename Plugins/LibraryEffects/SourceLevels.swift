// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import SwiftletSignal

/// What a source of a room is multiplied and filtered by, as one vector that goes straight over a segment of
/// time.
struct SourceLevels: BitwiseCopyable {
  private var lanes = SIMD8<Float>(repeating: 0)

  /// What is heard of it by equal power, left and right, and what by head-related transfer functions.
  var left: Float {
    @_noLocks @_noAllocation get { lanes[0] }
    @_noLocks @_noAllocation set { lanes[0] = newValue }
  }
  var right: Float {
    @_noLocks @_noAllocation get { lanes[1] }
    @_noLocks @_noAllocation set { lanes[1] = newValue }
  }
  var head: Float {
    @_noLocks @_noAllocation get { lanes[2] }
    @_noLocks @_noAllocation set { lanes[2] = newValue }
  }
  /// What is sent to the reverb.
  var reverb: Float {
    @_noLocks @_noAllocation get { lanes[3] }
    @_noLocks @_noAllocation set { lanes[3] = newValue }
  }
  /// What the low-pass of occlusion and that of obstruction take of each frame; 1 is all.
  var occlusion: Float {
    @_noLocks @_noAllocation get { lanes[4] }
    @_noLocks @_noAllocation set { lanes[4] = newValue }
  }
  var obstruction: Float {
    @_noLocks @_noAllocation get { lanes[5] }
    @_noLocks @_noAllocation set { lanes[5] = newValue }
  }
  /// What distance leaves, and how much the source is to one side or the other: less from within a head's
  /// width.
  var nearness: Float {
    @_noLocks @_noAllocation get { lanes[6] }
    @_noLocks @_noAllocation set { lanes[6] = newValue }
  }
  var focus: Float {
    @_noLocks @_noAllocation get { lanes[7] }
    @_noLocks @_noAllocation set { lanes[7] = newValue }
  }

  @_noLocks @_noAllocation init() {}

  /// The levels a share of the way, from 0 to 1, to others.
  @_noLocks @_noAllocation func mixed(with others: SourceLevels, _ share: Float) -> SourceLevels {
    var result = self
    result.lanes += (others.lanes - lanes) * share
    return result
  }

  /// Whether no level differs.
  @_noLocks @_noAllocation func equals(_ others: SourceLevels) -> Bool {
    let ways = lanes - others.lanes
    return (ways * ways).max() == 0
  }
}
