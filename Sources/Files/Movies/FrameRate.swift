// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

/// How many pictures a movie shows in a second: exact, as 30000/1001.
package struct FrameRate: Sendable, Hashable, CustomStringConvertible {
  /// Above and below the line; both above 0.
  package let above: Int, below: Int

  /// The rate; nil where one of the two is 0 or less.
  init?(_ above: Int, over below: Int) {
    guard above > 0, below > 0 else { return nil }
    let divisor = greatestCommonDivisor(above, below)
    (self.above, self.below) = (above / divisor, below / divisor)
  }

  /// Reads `30000/1001`; nil for `0/0`, which stands for one that is not known, and for numbers of more than 32 bits,
  /// which `ffmpeg` does not have.
  init?(_ text: String?) {
    let parts = (text ?? "").split(separator: "/").map { Int($0) }
    guard parts.count == 2, let above = parts[0], let below = parts[1],
      above <= Int32.max, below <= Int32.max
    else { return nil }
    self.init(above, over: below)
  }

  /// Pictures a second.
  package var perSecond: Double { Double(above) / Double(below) }

  /// How many pictures have begun at a time; the nearest where it lies between two.
  func count(at seconds: Double) -> Int { Int((min(max(seconds, 0), 4e9) * perSecond).rounded()) }

  package var description: String { below == 1 ? "\(above)" : "\(above)/\(below)" }

  /// 25 a second.
  static let usualRate = FrameRate(exactly: 25)

  private init(exactly rate: Int) { (above, below) = (rate, 1) }

  private static let usual = [
    (24_000, 1001), (24, 1), (25, 1), (30_000, 1001), (30, 1), (48, 1), (50, 1), (60_000, 1001), (60, 1),
    (120, 1),
  ]

  /// The rate at which a movie is encoded anew: its own, or the usual one nearest to it where that wavers. One that
  /// shows fewer pictures in parts gets the rate of the others: some are shown twice then, and none is lost.
  static func steady(mean: FrameRate, nominal: FrameRate?) -> FrameRate {
    func isNear(_ rate: FrameRate) -> Bool { abs(rate.perSecond / mean.perSecond - 1) < 0.01 }
    if let nominal, isNear(nominal) { return nominal }
    let known = usual.compactMap { FrameRate($0.0, over: $0.1) }
    if let near = known.first(where: isNear) { return near }
    if let nominal, nominal.perSecond > mean.perSecond, known.contains(nominal) { return nominal }
    return mean.perSecond > 120 ? FrameRate(120, over: 1) ?? mean : mean
  }
}
