// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

/// How a parameter of a processor follows a lane.
public struct ParameterTiming: BitwiseCopyable, Sendable {
  /// The length of the parameter's own smoothing, in frames; 0: it jumps.
  public var glide: Int
  /// The part of the processor's latency that lies before the parameter acts, in frames. Lanes are delayed by it, so
  /// that they meet the sound of their frame.
  public var latency: Int

  /// Describes a parameter that jumps, and acts at the processor's input.
  @_noLocks @_noAllocation public init(glide: Int = 0, latency: Int = 0) {
    self.glide = glide
    self.latency = latency
  }
}
