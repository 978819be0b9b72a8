// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

/// A movie's frame rate as an exact fraction, such as 30000/1001.
package struct FrameRate: Sendable, Hashable, CustomStringConvertible {
  /// Numerator and denominator; both above 0.
  package let above: Int, below: Int

  /// Creates a rate. Returns nil if either number is 0 or less.
  init?(_ above: Int, over below: Int) {
    guard above > 0, below > 0 else { return nil }
    let divisor = greatestCommonDivisor(above, below)
    (self.above, self.below) = (above / divisor, below / divisor)
  }

  /// Parses `30000/1001`. Returns nil for `0/0`, which stands for an unknown rate, and for numbers of more than 32
  /// bits, which `ffmpeg` does not use.
  init?(_ text: String?) {
    let parts = (text ?? "").split(separator: "/").map { Int($0) }
    guard parts.count == 2, let above = parts[0], let below = parts[1],
      above <= Int32.max, below <= Int32.max
    else { return nil }
    self.init(above, over: below)
  }

  /// Pictures per second.
  package var perSecond: Double { Double(above) / Double(below) }

  /// Returns the number of pictures before a time in seconds, rounded to the nearest.
  func count(at seconds: Double) -> Int { Int((min(max(seconds, 0), 4e9) * perSecond).rounded()) }

  package var description: String { below == 1 ? "\(above)" : "\(above)/\(below)" }

  /// 25 pictures per second.
  static let usualRate = FrameRate(exactly: 25)

  private init(exactly rate: Int) { (above, below) = (rate, 1) }

  private static let usual = [
    (24_000, 1001), (24, 1), (25, 1), (30_000, 1001), (30, 1), (48, 1), (50, 1), (60_000, 1001), (60, 1),
    (120, 1),
  ]

  /// Returns the rate at which a movie is re-encoded: its own, or the nearest common rate if its own varies. A movie
  /// that shows fewer pictures in some parts gets the rate of the others: some pictures are then shown twice, and none
  /// is lost.
  static func steady(mean: FrameRate, nominal: FrameRate?) -> FrameRate {
    func isNear(_ rate: FrameRate) -> Bool { abs(rate.perSecond / mean.perSecond - 1) < 0.01 }
    if let nominal, isNear(nominal) { return nominal }
    let known = usual.compactMap { FrameRate($0.0, over: $0.1) }
    if let near = known.first(where: isNear) { return near }
    if let nominal, nominal.perSecond > mean.perSecond, known.contains(nominal) { return nominal }
    return mean.perSecond > 120 ? FrameRate(120, over: 1) ?? mean : mean
  }
}
