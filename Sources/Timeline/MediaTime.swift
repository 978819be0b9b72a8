// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

/// A point in time, or a length of time, as an exact fraction of seconds.
///
/// A third of a second, 48,000 frames at 44.1 kHz and 1.1 s are exact, not the nearest `Double`, so that a thousand
/// edits do not shift a frame. Ranges are Swift's: `.zero ..< .seconds(4)`.
///
/// Arithmetic never traps and never throws. A sum whose timescale would exceed 2³¹ − 1 is rounded to the nearest
/// 1/705,600,000 s, an error of 0.7 ns at most; all usual sample rates and all milliseconds are exact in that unit. A
/// sum beyond ±68 years is clamped to ±2³¹ s. Initializers throw a ``TimeError`` for a time that would be infinite or
/// not a number.
public struct MediaTime: Hashable, Sendable {
  /// The number of parts of a second.
  public let value: Int64
  /// The number of parts in a second, in lowest terms, from 1 to 2³¹ − 1.
  public let timescale: Int32

  /// The timescale for sums that would need too large a one: a frame at each usual rate from 8 to 192 kHz, and a
  /// millisecond, are a whole number of its parts.
  package static let grid: Int32 = 705_600_000

  /// Zero: the start of every timeline.
  public static let zero = MediaTime(whole: 0)
  /// The last time: 2³¹ s, or 68 years, from the start. Later times are clamped to it.
  package static let latest = MediaTime(whole: 1 << 31)
  /// The first time: 68 years before the start. Earlier times are clamped to it.
  package static let earliest = MediaTime(whole: -1 << 31)

  private init(whole seconds: Int64) {
    value = seconds
    timescale = 1
  }

  /// Creates the fraction `value` / `parts` of a second in lowest terms, rounded to the grid if the timescale is too
  /// large, and clamped to ``earliest`` and ``latest``.
  ///
  /// - Precondition: `parts` is above 0, which callers in this module ensure.
  init(reducing value: Int128, over parts: Int128) {
    assert(parts > 0, "the number of parts must be above 0")
    let (whole, rest) = value.quotientAndRemainder(dividingBy: parts)
    guard whole < 1 << 31 else { self = .latest; return }
    guard whole > -1 << 31 else { self = .earliest; return }
    let common = Self.commonDivisor(rest.magnitude, parts.magnitude)
    let scale = parts.magnitude / common
    if scale <= Int32.max {
      self.value = Int64(whole * Int128(scale) + rest / Int128(common))
      timescale = Int32(scale)
    } else {
      // The rest is less than a second, so both factors are small enough for a full-width product.
      let product = rest.magnitude.multipliedFullWidth(by: UInt128(Self.grid))
      let (parted, left) = parts.magnitude.dividingFullWidth(product)
      let rounded = Int128(left >= parts.magnitude - left ? parted + 1 : parted)
      let gridded = whole * Int128(Self.grid) + (rest < 0 ? -rounded : rounded)
      // Rounds to the grid and reduces to lowest terms; then the timescale fits.
      let shared = Int128(Self.commonDivisor(gridded.magnitude, UInt128(Self.grid)))
      self.value = Int64(gridded / shared)
      timescale = Int32(Int128(Self.grid) / shared)
    }
  }

  /// Returns the greatest common divisor; `b` is above 0.
  private static func commonDivisor(_ a: UInt128, _ b: UInt128) -> UInt128 {
    var (a, b) = (b, a)
    while b > UInt64.max { (a, b) = (b, a % b) }
    guard b > 0 else { return a }
    // 64-bit division is far faster than 128-bit division.
    var (c, d) = (UInt64(b), UInt64(a % b))
    while d > 0 { (c, d) = (d, c % d) }
    return UInt128(c)
  }
}

extension MediaTime: Comparable {
  public static func < (a: MediaTime, b: MediaTime) -> Bool {
    guard a.timescale != b.timescale else { return a.value < b.value }
    return Int128(a.value) * Int128(b.timescale) < Int128(b.value) * Int128(a.timescale)
  }
}

extension MediaTime: AdditiveArithmetic {
  /// The sum, exact or rounded to the nearest 1/705,600,000 s, and between ±2³¹ s.
  public static func + (a: MediaTime, b: MediaTime) -> MediaTime {
    let (one, other) = (Int128(a.timescale), Int128(b.timescale))
    guard one != other else { return MediaTime(reducing: Int128(a.value) + Int128(b.value), over: one) }
    return MediaTime(reducing: Int128(a.value) * other + Int128(b.value) * one, over: one * other)
  }

  /// The difference, exact or rounded to the nearest 1/705,600,000 s, and clamped to ±2³¹ s.
  public static func - (a: MediaTime, b: MediaTime) -> MediaTime { a + -b }

  /// The negative of a time.
  package static prefix func - (time: MediaTime) -> MediaTime {
    MediaTime(reducing: -Int128(time.value), over: Int128(time.timescale))
  }

  /// The time multiplied by `count`, which may be negative.
  package static func * (time: MediaTime, count: Int) -> MediaTime {
    MediaTime(reducing: Int128(time.value) * Int128(count), over: Int128(time.timescale))
  }

  /// Scales the time: this · `new` / `old`. Zero if `old` is zero.
  package func scaled(from old: MediaTime, to new: MediaTime) -> MediaTime {
    guard old.value != 0 else { return .zero }
    let (above, below) = (
      Int128(new.value) * Int128(old.timescale), Int128(new.timescale) * Int128(old.value)
    )
    let sign: Int128 = below < 0 ? -1 : 1
    let common = Int128(Self.commonDivisor(above.magnitude, below.magnitude))
    let (factor, divisor) = (sign * above / common, sign * below / common)
    let (product, isTooLong) = factor.multipliedReportingOverflow(by: Int128(value))
    let (parts, areTooMany) = divisor.multipliedReportingOverflow(by: Int128(timescale))
    guard isTooLong || areTooMany else { return MediaTime(reducing: product, over: parts) }
    // If the product does not fit in 128 bits, it is computed as a `Double`, which is exact to a nanosecond for a
    // hundred days.
    let estimate = seconds * (Double(factor) / Double(divisor))
    return MediaTime(nearest: estimate)
  }
}

extension Range<MediaTime> {
  /// Creates the range between two times from outside the program, where `..<` would trap if they were swapped.
  ///
  /// - Throws: ``TimeError/backwards(from:to:)``.
  public init(from start: MediaTime, to end: MediaTime) throws(TimeError) {
    guard start <= end else { throw .backwards(from: start, to: end) }
    self = start..<end
  }

  /// As ``init(from:to:)``, for decoded times.
  init(from start: MediaTime, to end: MediaTime, codingPath: [any CodingKey]) throws {
    do { try self.init(from: start, to: end) } catch {
      throw DecodingError.dataCorrupted(.init(codingPath: codingPath, debugDescription: "\(error)"))
    }
  }
}
