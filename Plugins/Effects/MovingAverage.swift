// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

/// The mean of the last so many numbers, frame by frame.
///
/// The sum is kept up by adding what comes and taking away what goes. Numbers are rounded to multiples of
/// 2⁻²⁰, whose sums a double holds exactly, so that nothing is left over, however long it runs.
@safe struct MovingAverage: ~Copyable {
  private let length: Int
  private let numbers: UnsafeMutablePointer<Double>
  private var place = 0
  private var sum = 0.0

  /// The mean of `length` numbers, up to 8192, so far zeros.
  init(length: Int) {
    self.length = min(max(length, 1), 8192)
    unsafe numbers = .allocate(capacity: self.length)
    unsafe numbers.initialize(repeating: 0, count: self.length)
  }

  deinit { unsafe numbers.deallocate() }

  /// Whether all numbers are zero, as long as none is negative. Up to 2⁻²¹ counts as zero.
  var isZero: Bool { @_noLocks @_noAllocation get { sum == 0 } }

  /// Forgets all numbers.
  @_noLocks @_noAllocation mutating func clear() {
    for index in 0..<length { unsafe numbers[index] = 0 }
    sum = 0
  }

  /// Puts in the place of each number, below 1,000,000, the mean of those up to it.
  @_noLocks @_noAllocation @unsafe mutating func run(_ samples: UnsafeMutablePointer<Float>, count: Int) {
    // At this size a double counts in 2⁻²⁰.
    let counting = 6_442_450_944.0, share = 1 / Double(length)
    var start = 0
    while start < count {
      let part = min(count - start, length - place)
      let run = unsafe samples + start, past = unsafe numbers + place
      var sum = sum
      for frame in 0..<part {
        let number = unsafe (Double(run[frame]) + counting) - counting
        unsafe sum += number - past[frame]
        unsafe past[frame] = number
        unsafe run[frame] = Float(sum * share)
      }
      self.sum = sum
      start += part
      place = place + part < length ? place + part : 0
    }
  }
}
