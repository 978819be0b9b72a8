// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import SwiftletSignal

/// Runs filters over some samples, one after the other; two in one loop where both are at rest.
@safe struct EqualizerRow {
  private let samples: UnsafeMutablePointer<SIMD2<Double>>
  private let count: Int
  private var memory: UnsafeMutablePointer<Biquad>?
  private var section: UnsafeMutablePointer<EqualizerSection>?

  /// A row over the first `count` samples. It ends with ``finish()``.
  @_noLocks @_noAllocation init(_ samples: UnsafeMutablePointer<SIMD2<Double>>, count: Int) {
    unsafe self.samples = unsafe samples
    self.count = count
    unsafe memory = nil
    unsafe section = nil
  }

  /// Puts a filter behind those before it.
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

  /// Runs the filter that still waits for a second, if one does.
  @_noLocks @_noAllocation @inline(__always) mutating func finish() {
    if let memory = unsafe memory, let section = unsafe section {
      unsafe memory.pointee.run(samples, count: count, section.pointee.coefficients)
    }
    unsafe memory = nil
    unsafe section = nil
  }
}
