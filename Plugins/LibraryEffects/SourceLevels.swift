// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import SwiftletSignal

/// The gains and filter coefficients of a source in an acoustic room, as one vector that is interpolated linearly over
/// a segment.
struct SourceLevels: BitwiseCopyable {
  /// The elements of the vector.
  enum Kind: Int {
    /// The gains of the equal-power rendering, left and right, and of the HRTF rendering.
    case left, right, head
    /// The gain of the reverb send.
    case reverb
    /// The coefficients of the low-passes for occlusion and obstruction; 1 passes everything.
    case occlusion, obstruction
    /// The gain at the distance, and the lateral focus, which is less than 1 within the radius of the head.
    case nearness, focus
  }

  private var lanes = SIMD8<Float>(repeating: 0)

  @_noLocks @_noAllocation init() {}

  subscript(kind: Kind) -> Float {
    @_noLocks @_noAllocation get { lanes[kind.rawValue] }
    @_noLocks @_noAllocation set { lanes[kind.rawValue] = newValue }
  }

  /// Returns the linear interpolation to other levels; `share` is from 0 to 1.
  @_noLocks @_noAllocation func mixed(with others: SourceLevels, _ share: Float) -> SourceLevels {
    var result = self
    result.lanes += (others.lanes - lanes) * share
    return result
  }

  /// Returns whether all levels are equal.
  @_noLocks @_noAllocation func equals(_ others: SourceLevels) -> Bool {
    let ways = lanes - others.lanes
    return (ways * ways).max() == 0
  }
}
