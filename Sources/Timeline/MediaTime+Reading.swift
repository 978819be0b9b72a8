// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

extension MediaTime {
  /// Parses a time.
  ///
  /// - `1.5s`, `90 s`, `350ms`, `20us`, `2 min`, `1h`: exact, whatever the number of digits;
  /// - `48000 samples` or `48000 frames`, at the rate `sampleRate`; `48000@44100`, at its own rate;
  /// - `1:30`, `1:30.250`: minutes and seconds; `1:02:03.5`: with hours;
  /// - `5|3.5`: the middle of the third beat of the fifth bar, in the tempo map `tempo`.
  ///
  /// A minus sign, in all notations but the last, means before the start. A number without a unit throws, unless it is
  /// 0, since it might be seconds or samples.
  public init(_ text: String, sampleRate: Double? = nil, tempo: TempoMap? = nil) throws(TimeError) {
    if text.utf8.contains(UInt8(ascii: "|")) {
      guard let tempo else { throw .noTempo(text) }
      guard let position = BarBeat(text) else { throw .unreadable(text) }
      self = try tempo.time(of: position)
      return
    }
    let isNegative = text.utf8.first == UInt8(ascii: "-")
    let body = isNegative || text.utf8.first == UInt8(ascii: "+") ? text.dropFirst() : text[...]
    let time =
      if body.utf8.contains(UInt8(ascii: ":")) {
        try Self.clock(body, in: text)
      } else {
        try Self.measure(body, in: text, at: sampleRate)
      }
    self = isNegative ? -time : time
  }

  /// Parses minutes and seconds, or hours, minutes and seconds.
  private static func clock(_ body: Substring, in text: String) throws(TimeError) -> MediaTime {
    let fields = body.split(separator: ":", omittingEmptySubsequences: false)
    guard 2...3 ~= fields.count, let seconds = Decimal(fields[fields.count - 1]) else {
      throw .unreadable(text)
    }
    var minutes: Int128 = 0
    for (index, field) in fields.dropLast().enumerated() {
      guard let field = Decimal(field), field.scale == 1 else { throw .unreadable(text) }
      // A field after the first must be below 60 and have two digits.
      guard index == 0 || (field.digits < 60 && field.leadingDigits == 2) else { throw .unreadable(text) }
      guard field.digits <= 1 << 31 else { throw .tooFar(text) }
      minutes = minutes * 60 + field.digits
    }
    guard seconds.digits < 60 * seconds.scale, seconds.leadingDigits == 2 else { throw .unreadable(text) }
    return try held(minutes * 60 * seconds.scale + seconds.digits, over: seconds.scale, in: text)
  }

  /// Parses a number with a unit, or with a rate.
  private static func measure(
    _ body: Substring, in text: String, at sampleRate: Double?
  ) throws(TimeError) -> MediaTime {
    let written = body.prefix { $0.isASCII && ($0.isNumber || $0 == ".") }
    guard let number = Decimal(written) else { throw .unreadable(text) }
    var unit = body.dropFirst(written.count).drop { $0 == " " }
    if let at = unit.firstIndex(of: "@") {
      let word = unit[..<at].filter { $0 != " " }, rate = unit[unit.index(after: at)...].drop { $0 == " " }
      guard ["", "samples", "frames"].contains(word), number.isWhole else { throw .unreadable(text) }
      if let parts = Int32(rate), parts > 0 { return try held(number.whole, over: Int128(parts), in: text) }
      guard let rate = Double(rate), 1...16_777_216 ~= rate else { throw .unreadable(text) }
      return try frames(number, at: rate, in: text)
    }
    while unit.last == " " { unit.removeLast() }
    switch unit {
    case "s": return try held(number.digits, over: number.scale, in: text)
    case "ms": return try held(number.digits, over: number.scale * 1000, in: text)
    case "us", "µs": return try held(number.digits, over: number.scale * 1_000_000, in: text)
    case "min": return try held(number.digits * 60, over: number.scale, in: text)
    case "h": return try held(number.digits * 3600, over: number.scale, in: text)
    case "samples", "sample", "frames", "frame":
      guard number.isWhole else { throw .unreadable(text) }
      guard let sampleRate else { throw .noRate(text) }
      return try frames(number, at: sampleRate, in: text)
    case "":
      guard number.digits != 0 else { return .zero }
      throw .noUnit(text)
    default: throw .unreadable(text)
    }
  }

  private static func frames(
    _ number: Decimal, at rate: Double, in text: String
  ) throws(TimeError) -> MediaTime {
    guard let count = Int64(exactly: number.whole) else { throw .tooFar(text) }
    let time = MediaTime(frames: count, at: rate)
    guard time < .latest else { throw .tooFar(text) }
    return time
  }

  /// Creates a time from a fraction of seconds. Throws if it is too large.
  private static func held(
    _ digits: Int128, over scale: Int128, in text: String
  ) throws(TimeError) -> MediaTime {
    guard digits / scale <= 1 << 31 else { throw .tooFar(text) }
    return MediaTime(reducing: digits, over: scale)
  }
}

/// A decimal number without sign or exponent, as text.
private struct Decimal {
  /// The digits without the decimal point, and the divisor.
  var digits: Int128, scale: Int128
  /// The number of digits before the decimal point.
  var leadingDigits = 0

  /// Returns nil if the text is not a number or longer than 28 characters.
  init?(_ text: Substring) {
    guard text.utf8.count <= 28 else { return nil }
    (digits, scale) = (0, 1)
    var hasPoint = false, count = 0
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "0")...UInt8(ascii: "9"):
        digits = digits * 10 + Int128(byte - UInt8(ascii: "0"))
        count += 1
        if hasPoint { scale *= 10 } else { leadingDigits += 1 }
      case UInt8(ascii: "."):
        guard !hasPoint else { return nil }
        hasPoint = true
      default: return nil
      }
    }
    guard count > 0 else { return nil }
  }

  var isWhole: Bool { digits.isMultiple(of: scale) }
  var whole: Int128 { digits / scale }
}
