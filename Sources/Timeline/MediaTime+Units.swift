// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

extension MediaTime {
  /// So many whole seconds.
  public static func seconds(_ count: Int) -> MediaTime { MediaTime(reducing: Int128(count), over: 1) }

  /// A number of seconds with a fraction, such as `.seconds(1.5)`, rounded as by ``init(seconds:)``. Beyond 68 years
  /// it stays there; NaN is zero.
  public static func seconds(_ seconds: Double) -> MediaTime { MediaTime(nearest: seconds) }

  /// So many thousandths of a second.
  public static func milliseconds(_ count: Int) -> MediaTime {
    MediaTime(reducing: Int128(count), over: 1000)
  }

  /// A number of milliseconds with a fraction, such as `.milliseconds(0.5)`, rounded as by ``init(seconds:)``. Beyond
  /// 68 years it stays there; NaN is zero.
  public static func milliseconds(_ milliseconds: Double) -> MediaTime {
    MediaTime(nearest: milliseconds, over: 1000)
  }

  /// So many millionths of a second.
  package static func microseconds(_ count: Int) -> MediaTime {
    MediaTime(reducing: Int128(count), over: 1_000_000)
  }

  /// A number of seconds, to the nearest nanosecond: 0.1 is a tenth, although no `Double` is. A number beyond 97
  /// days, where a `Double` has steps of more than a nanosecond, is rounded to the decimal places that it can tell.
  ///
  /// - Throws: ``TimeError/notFinite`` for infinity and what is not a number, ``TimeError/tooFar(_:)`` for
  ///   more than 68 years.
  public init(seconds: Double) throws(TimeError) {
    guard seconds.isFinite else { throw .notFinite }
    guard abs(seconds) <= Self.latest.seconds else { throw .tooFar("\(seconds)s") }
    self.init(nearest: seconds)
  }

  /// The nearest nanosecond to a number of seconds, or of `parts` of a second; ``latest`` or ``earliest`` if it is
  /// beyond, and zero for NaN.
  ///
  /// - Parameter parts: how many of the number make a second; a power of ten, 10⁹ at most.
  init(nearest number: Double, over parts: Int128 = 1) {
    guard !number.isNaN else { self = .zero; return }
    let limit = Self.latest.seconds * Double(parts), held = max(-limit, min(number, limit))
    let whole = held.rounded(.towardZero)
    // Decimal places finer than the steps between neighbouring numbers would show that the number is binary.
    var steps = 1_000_000_000 / parts
    while steps > 1, held.ulp * Double(steps) >= 1 { steps /= 10 }
    let fraction = Int128(((held - whole) * Double(steps)).rounded())
    self.init(reducing: Int128(whole) * steps + fraction, over: steps * parts)
  }

  /// A duration, to the nearest nanosecond; beyond 68 years it stays there.
  public init(_ duration: Duration) {
    let (seconds, attoseconds) = duration.components
    let half: Int64 = attoseconds < 0 ? -500_000_000 : 500_000_000
    let nanoseconds = Int128(seconds) * 1_000_000_000 + Int128((attoseconds + half) / 1_000_000_000)
    self.init(reducing: nanoseconds, over: 1_000_000_000)
  }

  /// The time of a number of frames.
  ///
  /// - Parameter sampleRate: frames a second, from 1 to 2²⁴, rounded to 1/4096; a value out of range counts as the
  ///   edge, and one that is not a number as 1.
  public init(frames: Int64, at sampleRate: Double) {
    self.init(reducing: Int128(frames) * Int128(Self.rateParts), over: Self.parts(of: sampleRate))
  }

  /// The number of frames in the time.
  ///
  /// - Parameters:
  ///   - sampleRate: as for ``init(frames:at:)``.
  ///   - rule: how a time between two frames is rounded; default: to the nearest. `.up` is the first frame that is
  ///     not before the time.
  public func frames(
    at sampleRate: Double, rounding rule: FloatingPointRoundingRule = .toNearestOrAwayFromZero
  ) -> Int64 {
    let above = Int128(value) * Self.parts(of: sampleRate), below = Int128(timescale) * Int128(Self.rateParts)
    var (whole, rest) = above.quotientAndRemainder(dividingBy: below)
    if rest < 0 { (whole, rest) = (whole - 1, rest + below) }
    // Now the time lies `rest` / `below` of a frame after frame `whole`.
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

  /// Where it lies in frames, with the fraction of a frame.
  func position(at sampleRate: Double) -> (frame: Int64, fraction: Double) {
    let above = Int128(value) * Self.parts(of: sampleRate), below = Int128(timescale) * Int128(Self.rateParts)
    var (whole, rest) = above.quotientAndRemainder(dividingBy: below)
    if rest < 0 { (whole, rest) = (whole - 1, rest + below) }
    return (Int64(whole), Double(rest) / Double(below))
  }

  /// Seconds as a number, for meters and pictures. Sums belong to times.
  public var seconds: Double { Double(value) / Double(timescale) }

  /// Seconds since an earlier time: the exact difference as the nearest number, which may be finer than the
  /// grid.
  func seconds(since start: MediaTime) -> Double {
    let above = Int128(value) * Int128(start.timescale) - Int128(start.value) * Int128(timescale)
    return Double(above) / (Double(timescale) * Double(start.timescale))
  }

  /// A rate is told in so many parts of a hertz, which makes fractional ones exact enough and whole ones
  /// exact.
  private static var rateParts: Int64 { 4096 }

  private static func parts(of sampleRate: Double) -> Int128 {
    let rate = sampleRate >= 1 ? min(sampleRate, 16_777_216) : 1
    // By way of a word, into which a processor converts by itself.
    return Int128(Int64((rate * Double(rateParts)).rounded()))
  }
}

extension Duration {
  /// A time as a duration, to the attosecond.
  public init(_ time: MediaTime) {
    let (seconds, rest) = time.value.quotientAndRemainder(dividingBy: Int64(time.timescale))
    let attoseconds = Int128(rest) * 1_000_000_000_000_000_000 / Int128(time.timescale)
    self.init(secondsComponent: seconds, attosecondsComponent: Int64(attoseconds))
  }
}
