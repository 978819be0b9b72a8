// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

extension MediaTime {
  /// A whole number of seconds.
  public static func seconds(_ count: Int) -> MediaTime { MediaTime(reducing: Int128(count), over: 1) }

  /// A number of seconds with a fraction, such as `.seconds(1.5)`, rounded as by ``init(seconds:)``. Clamped to ±68
  /// years; NaN is zero.
  public static func seconds(_ seconds: Double) -> MediaTime { MediaTime(nearest: seconds) }

  /// A whole number of milliseconds.
  public static func milliseconds(_ count: Int) -> MediaTime {
    MediaTime(reducing: Int128(count), over: 1000)
  }

  /// A number of milliseconds with a fraction, such as `.milliseconds(0.5)`, rounded as by ``init(seconds:)``.
  /// Clamped to ±68 years; NaN is zero.
  public static func milliseconds(_ milliseconds: Double) -> MediaTime {
    MediaTime(nearest: milliseconds, over: 1000)
  }

  /// A whole number of microseconds.
  package static func microseconds(_ count: Int) -> MediaTime {
    MediaTime(reducing: Int128(count), over: 1_000_000)
  }

  /// Creates a time from a number of seconds, rounded to the nearest nanosecond: 0.1 is exactly a tenth, although no
  /// `Double` is. Beyond 97 days, where a `Double` has steps of more than a nanosecond, the number is rounded to the
  /// decimal places that it can represent.
  ///
  /// - Throws: ``TimeError/notFinite`` for infinity and NaN, ``TimeError/tooFar(_:)`` for more than 68 years.
  public init(seconds: Double) throws(TimeError) {
    guard seconds.isFinite else { throw .notFinite }
    guard abs(seconds) <= Self.latest.seconds else { throw .tooFar("\(seconds)s") }
    self.init(nearest: seconds)
  }

  /// Creates a time from a number of seconds, or of `parts` of a second, rounded to the nearest nanosecond. Clamped
  /// to ``earliest`` and ``latest``; NaN is zero.
  ///
  /// - Parameter parts: the parts in a second; a power of ten, 10⁹ at most; default: 1.
  init(nearest number: Double, over parts: Int128 = 1) {
    guard !number.isNaN else { self = .zero; return }
    let limit = Self.latest.seconds * Double(parts), held = max(-limit, min(number, limit))
    let whole = held.rounded(.towardZero)
    // More decimal places than the number's resolution would reveal its binary fraction.
    var steps = 1_000_000_000 / parts
    while steps > 1, held.ulp * Double(steps) >= 1 { steps /= 10 }
    let fraction = Int128(((held - whole) * Double(steps)).rounded())
    self.init(reducing: Int128(whole) * steps + fraction, over: steps * parts)
  }

  /// Creates a time from a duration, rounded to the nearest nanosecond and clamped to ±68 years.
  public init(_ duration: Duration) {
    let (seconds, attoseconds) = duration.components
    let half: Int64 = attoseconds < 0 ? -500_000_000 : 500_000_000
    let nanoseconds = Int128(seconds) * 1_000_000_000 + Int128((attoseconds + half) / 1_000_000_000)
    self.init(reducing: nanoseconds, over: 1_000_000_000)
  }

  /// Creates the time of a number of frames.
  ///
  /// - Parameters:
  ///   - frames: the number of frames.
  ///   - sampleRate: the rate in hertz, from 1 to 2²⁴, rounded to 1/4096 Hz; a value out of range is clamped, and NaN
  ///     counts as 1.
  public init(frames: Int64, at sampleRate: Double) {
    self.init(reducing: Int128(frames) * Int128(Self.rateParts), over: Self.parts(of: sampleRate))
  }

  /// Returns the number of frames in the time.
  ///
  /// - Parameters:
  ///   - sampleRate: as for ``init(frames:at:)``.
  ///   - rule: how a time between two frames is rounded; default: to the nearest. `.up` gives the first frame that is
  ///     not before the time.
  public func frames(
    at sampleRate: Double, rounding rule: FloatingPointRoundingRule = .toNearestOrAwayFromZero
  ) -> Int64 {
    let above = Int128(value) * Self.parts(of: sampleRate), below = Int128(timescale) * Int128(Self.rateParts)
    var (whole, rest) = above.quotientAndRemainder(dividingBy: below)
    if rest < 0 { (whole, rest) = (whole - 1, rest + below) }
    // The time lies `rest` / `below` of a frame after frame `whole`.
    let isUp =
      switch rule {
      case .up: rest > 0
      case .down: false
      case .towardZero: rest > 0 && above < 0
      case .awayFromZero: rest > 0 && above > 0
      case .toNearestOrEven: 2 * rest > below || (2 * rest == below && !whole.isMultiple(of: 2))
      case .toNearestOrAwayFromZero: 2 * rest > below || (2 * rest == below && above > 0)
      @unknown default: 2 * rest >= below
      }
    return Int64(isUp ? whole + 1 : whole)
  }

  /// Returns the position in frames, with the fraction of a frame.
  func position(at sampleRate: Double) -> (frame: Int64, fraction: Double) {
    let above = Int128(value) * Self.parts(of: sampleRate), below = Int128(timescale) * Int128(Self.rateParts)
    var (whole, rest) = above.quotientAndRemainder(dividingBy: below)
    if rest < 0 { (whole, rest) = (whole - 1, rest + below) }
    return (Int64(whole), Double(rest) / Double(below))
  }

  /// The time in seconds as a `Double`, for display. Calculate with times instead.
  public var seconds: Double { Double(value) / Double(timescale) }

  /// Returns the seconds since an earlier time: the exact difference, rounded to the nearest `Double`.
  func seconds(since start: MediaTime) -> Double {
    let above = Int128(value) * Int128(start.timescale) - Int128(start.value) * Int128(timescale)
    return Double(above) / (Double(timescale) * Double(start.timescale))
  }

  /// Rates are rounded to this fraction of a hertz: whole rates are exact, others exact enough.
  private static var rateParts: Int64 { 4096 }

  private static func parts(of sampleRate: Double) -> Int128 {
    let rate = sampleRate >= 1 ? min(sampleRate, 16_777_216) : 1
    // Converts by way of `Int64`, which the processor supports directly.
    return Int128(Int64((rate * Double(rateParts)).rounded()))
  }
}

extension Duration {
  /// Creates a duration from a time, to the attosecond.
  public init(_ time: MediaTime) {
    let (seconds, rest) = time.value.quotientAndRemainder(dividingBy: Int64(time.timescale))
    let attoseconds = Int128(rest) * 1_000_000_000_000_000_000 / Int128(time.timescale)
    self.init(secondsComponent: seconds, attosecondsComponent: Int64(attoseconds))
  }
}
