// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import Glibc

/// Numbers as text, independent of the locale.
enum Digits {
  /// Returns a number with this many decimals: `-6.0`.
  static func fixed(_ value: Double, _ decimals: Int) -> String {
    guard value.isFinite else { return value.isNaN ? "?" : value < 0 ? "-inf" : "inf" }
    let scale = pow(10, Double(decimals))
    let scaled = (abs(value) * scale).rounded()
    guard scaled < 9e15 else { return "\(value)" }
    let whole = Int64(scaled), unit = Int64(scale)
    let sign = value < 0 && whole > 0 ? "-" : ""
    guard decimals > 0 else { return "\(sign)\(whole)" }
    let fraction = String(whole % unit)
    return "\(sign)\(whole / unit).\(String(repeating: "0", count: decimals - fraction.count))\(fraction)"
  }

  /// Returns a number with at most six significant digits and without trailing zeros: `0.35`, `20000`, `-96`.
  static func short(_ value: Double) -> String {
    guard value.isFinite else { return fixed(value, 0) }
    if value == 0 { return "0" }
    let size = Int(log10(abs(value)).rounded(.down))
    guard (-5...8).contains(size) else { return "\(Float(value))" }
    var text = fixed(value, max(5 - size, 0))
    if text.contains(".") {
      while text.hasSuffix("0") { text.removeLast() }
      if text.hasSuffix(".") { text.removeLast() }
    }
    return text
  }

  /// Returns a duration as on a clock: `0:07`, `1:02:03`.
  static func clock(_ seconds: Double) -> String {
    guard seconds.isFinite, seconds < 1e12 else { return "for ever" }
    let whole = Int(max(seconds, 0))
    let (hours, minutes, rest) = (whole / 3600, whole / 60 % 60, whole % 60)
    func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
    return hours > 0 ? "\(hours):\(two(minutes)):\(two(rest))" : "\(minutes):\(two(rest))"
  }

  /// Returns a duration in its largest fitting unit, rounded down: `14 h`, `25 min`, `3 days`.
  static func spoken(_ seconds: Double) -> String {
    switch seconds {
    case ..<120: "\(Int(max(seconds, 0))) s"
    case ..<7200: "\(Int(seconds / 60)) min"
    case ..<259_200: "\(Int(seconds / 3600)) h"
    case ..<86_400_000: "\(Int(seconds / 86_400)) days"
    default: "years"
    }
  }

  /// Returns a count with its noun: `1 frame`, `2 frames`.
  static func count(_ number: Int, _ word: String) -> String { "\(number) \(word)\(number == 1 ? "" : "s")" }
}
