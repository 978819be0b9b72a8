// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

/// A moving average over a fixed number of values.
///
/// The sum is updated by adding the new value and subtracting the oldest. Values are rounded to multiples of the
/// resolution, whose sums a double represents exactly, so that no rounding error accumulates.
@safe struct MovingAverage: ~Copyable {
  private let length: Int
  /// A double of this size has the required resolution.
  private let counting: Double
  private let numbers: UnsafeMutablePointer<Double>
  private var index = 0
  private var sum = 0.0

  /// Creates an average of `length` values, up to 8192, which are initially zero. The resolution is a power of two.
  init(length: Int, resolution: Double = 0x1p-20) {
    counting = 0x1.8p52 * resolution
    self.length = min(max(length, 1), 8192)
    unsafe numbers = .allocate(capacity: self.length)
    unsafe numbers.initialize(repeating: 0, count: self.length)
  }

  deinit { unsafe numbers.deallocate() }

  /// Whether all values are zero, if none is negative. Values up to half of the resolution count as zero.
  var isZero: Bool { @_noLocks @_noAllocation get { sum == 0 } }

  /// Sets all values to zero.
  @_noLocks @_noAllocation mutating func clear() {
    for index in 0..<length { unsafe numbers[index] = 0 }
    sum = 0
  }

  /// Replaces each sample, which must be below 2⁴⁰ times the resolution, by the average up to it.
  @_noLocks @_noAllocation @unsafe mutating func run(_ samples: UnsafeMutablePointer<Float>, count: Int) {
    let counting = counting, share = 1 / Double(length)
    var start = 0
    while start < count {
      let part = min(count - start, length - index)
      let run = unsafe samples + start, past = unsafe numbers + index
      var sum = sum
      for frame in 0..<part {
        let number = unsafe (Double(run[frame]) + counting) - counting
        unsafe sum += number - past[frame]
        unsafe past[frame] = number
        unsafe run[frame] = Float(sum * share)
      }
      self.sum = sum
      start += part
      index = index + part < length ? index + part : 0
    }
  }
}
