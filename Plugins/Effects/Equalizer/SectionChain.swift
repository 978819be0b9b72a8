// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import SwiftletSignal

/// Runs second-order sections over samples in series. Two sections whose coefficients are constant run in one loop.
@safe struct SectionChain {
  private let samples: UnsafeMutablePointer<SIMD2<Double>>
  private let count: Int
  private var memory: UnsafeMutablePointer<Biquad>?
  private var section: UnsafeMutablePointer<EqualizerSection>?

  /// Creates a row over the first `count` samples. It must be ended with ``finish()``.
  @_noLocks @_noAllocation init(_ samples: UnsafeMutablePointer<SIMD2<Double>>, count: Int) {
    unsafe self.samples = unsafe samples
    self.count = count
    unsafe memory = nil
    unsafe section = nil
  }

  /// Appends a section.
  @_noLocks @_noAllocation @inline(__always) mutating func add(
    _ next: UnsafeMutablePointer<Biquad>, _ with: UnsafeMutablePointer<EqualizerSection>, isMoving: Bool
  ) {
    if isMoving {
      finish()
      unsafe with.pointee.reached = next.pointee.run(
        samples, count: count, from: with.pointee.coefficients, step: with.pointee.step)
    } else if let memory = unsafe memory, let section = unsafe section {
      unsafe memory.pointee.run(
        samples, count: count, section.pointee.coefficients, then: &next.pointee, with.pointee.coefficients)
      unsafe self.memory = nil
      unsafe self.section = nil
    } else {
      unsafe memory = unsafe next
      unsafe section = unsafe with
    }
  }

  /// Runs the section that is still waiting for a second one, if there is one.
  @_noLocks @_noAllocation @inline(__always) mutating func finish() {
    if let memory = unsafe memory, let section = unsafe section {
      unsafe memory.pointee.run(samples, count: count, section.pointee.coefficients)
    }
    unsafe memory = nil
    unsafe section = nil
  }
}
