// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import SwiftletSignal

/// What a source of a room is multiplied and filtered by, as one vector that goes straight over a segment of
/// time.
struct SourceLevels: BitwiseCopyable {
  /// One of them.
  enum Kind: Int {
    /// What is heard by equal power, left and right, and what by head-related transfer functions.
    case left, right, head
    /// What is sent to the reverb.
    case reverb
    /// What the low-pass of occlusion and that of obstruction take of each frame; 1 is all.
    case occlusion, obstruction
    /// What distance leaves, and how much the source is to one side or the other: less from within a head's
    /// width.
    case nearness, focus
  }

  private var lanes = SIMD8<Float>(repeating: 0)

  @_noLocks @_noAllocation init() {}

  subscript(kind: Kind) -> Float {
    @_noLocks @_noAllocation get { lanes[kind.rawValue] }
    @_noLocks @_noAllocation set { lanes[kind.rawValue] = newValue }
  }

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
