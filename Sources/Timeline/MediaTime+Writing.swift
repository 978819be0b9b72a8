// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

extension MediaTime: CustomStringConvertible {
  /// The exact time in the notation of ``init(_:sampleRate:tempo:)``: `1.5s` if at most nine decimal places suffice,
  /// otherwise the number of parts and the timescale: `1@3`.
  public var description: String {
    let billion: Int64 = 1_000_000_000
    guard billion.isMultiple(of: Int64(timescale)) else { return "\(value)@\(timescale)" }
    return (value < 0 ? "-" : "") + Self.decimal(value.magnitude, over: UInt64(timescale)) + "s"
  }

  /// The time in clock notation, to the nearest millisecond: `1:30`, `1:30.250`, `1:02:03`.
  package var clock: String {
    let milliseconds = frames(at: 1000), whole = milliseconds.magnitude / 1000
    let rest = milliseconds.magnitude % 1000
    let (hours, minutes, seconds) = (whole / 3600, whole / 60 % 60, whole % 60)
    let head = hours > 0 ? "\(hours):\(Self.padded(minutes, to: 2))" : "\(minutes)"
    let tail = rest > 0 ? "." + Self.padded(rest, to: 3) : ""
    return (milliseconds < 0 ? "-" : "") + head + ":" + Self.padded(seconds, to: 2) + tail
  }

  /// Writes a fraction whose denominator divides 10⁹ as a decimal number.
  private static func decimal(_ value: UInt64, over parts: UInt64) -> String {
    let (whole, rest) = value.quotientAndRemainder(dividingBy: parts)
    guard rest > 0 else { return "\(whole)" }
    var decimals = Substring(padded(rest * (1_000_000_000 / parts), to: 9))
    while decimals.last == "0" { decimals.removeLast() }
    return "\(whole).\(decimals)"
  }

  private static func padded(_ number: UInt64, to width: Int) -> String {
    let digits = String(number)
    return String(repeating: "0", count: max(0, width - digits.count)) + digits
  }
}

extension MediaTime: Codable {
  /// Decodes the text that ``encode(to:)`` writes, and all notations that need neither a rate nor a tempo map.
  public init(from decoder: any Decoder) throws {
    let box = try decoder.singleValueContainer()
    do { self = try MediaTime(box.decode(String.self)) } catch let error as TimeError {
      throw DecodingError.dataCorruptedError(in: box, debugDescription: "\(error)")
    }
  }

  /// Encodes the ``description``.
  public func encode(to encoder: any Encoder) throws {
    var box = encoder.singleValueContainer()
    try box.encode(description)
  }
}
