// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

/// The loudness of an export, by EBU R 128, and its highest true peak.
public struct LoudnessTarget: Sendable, Equatable {
  /// The gated integrated loudness in LUFS, from -70 to 0.
  public var loudness: Double
  /// The highest true peak, in dBTP, from −36 to 0.
  public var truePeak: Double

  /// EBU R 128, for broadcast in Europe: -23 LUFS, -1 dBTP.
  public static let ebu = LoudnessTarget(-23)
  /// ATSC A/85, for broadcast in America: -24 LUFS, -2 dBTP.
  public static let atsc = LoudnessTarget(-24, truePeak: -2)
  /// For podcasts: -16 LUFS, -1 dBTP.
  public static let podcast = LoudnessTarget(-16)
  /// The target of most streaming services: −14 LUFS, −1 dBTP.
  public static let streaming = LoudnessTarget(-14)

  /// The targets with a name.
  package static let named = [("ebu", ebu), ("atsc", atsc), ("podcast", podcast), ("streaming", streaming)]

  /// Creates a target with a loudness in LUFS. Values out of range are clamped; NaN counts as the lower end.
  public init(_ loudness: Double, truePeak: Double = -1) {
    self.loudness = loudness >= -70 ? min(loudness, 0) : -70
    self.truePeak = truePeak >= -36 ? min(truePeak, 0) : -36
  }

  /// Parses one of ``named``, or a number with or without its unit: `ebu`, `-16`, `-16 LUFS`. Returns nil for
  /// anything else.
  package init?(_ text: String) {
    if let known = LoudnessTarget.named.first(where: { $0.0 == text.lowercased() }) {
      self = known.1
      return
    }
    var number = text[...]
    if number.lowercased().hasSuffix("lufs") { number = number.dropLast(4) }
    while number.last == " " { number = number.dropLast() }
    guard let loudness = Double(number), -70...0 ~= loudness else { return nil }
    self.init(loudness)
  }
}
