// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

public import SwiftletSignal

/// A unit that may follow a number.
public enum WrittenUnit: String, CaseIterable, Sendable {
  case decibels = "dB"
  case loudness = "LUFS"
  case loudnessUnits = "LU"
  case hertz = "Hz"
  case kilohertz = "kHz"
  case milliseconds = "ms"
  case seconds = "s"
  case percent = "%"
  case semitones = "st"
  case cents = "cents"
  case octaves = "oct"
  case beatsPerMinute = "bpm"
  case degrees = "deg"
  case metres = "m"
  case frames = "frames"

  /// The parameter unit that this unit converts to, and the conversion factor.
  var base: (unit: ParameterUnit, factor: Double) {
    switch self {
    case .decibels: (.decibels, 1)
    case .loudness: (.loudness, 1)
    case .loudnessUnits: (.loudnessUnits, 1)
    case .hertz: (.hertz, 1)
    case .kilohertz: (.hertz, 1000)
    case .milliseconds: (.milliseconds, 1)
    case .seconds: (.milliseconds, 1000)
    case .percent: (.percent, 1)
    case .semitones: (.cents, 100)
    case .cents: (.cents, 1)
    case .octaves: (.cents, 1200)
    case .beatsPerMinute: (.beatsPerMinute, 1)
    case .degrees: (.degrees, 1)
    case .metres: (.metres, 1)
    case .frames: (.frames, 1)
    }
  }
}

extension ParameterUnit {
  /// The unit's notation in manifests and help; nil for a number without a unit.
  package var written: WrittenUnit? {
    switch self {
    case .none, .midiNote: nil
    case .decibels: .decibels
    case .loudness: .loudness
    case .loudnessUnits: .loudnessUnits
    case .hertz: .hertz
    case .milliseconds: .milliseconds
    case .seconds: .seconds
    case .percent: .percent
    case .semitones: .semitones
    case .cents: .cents
    case .octaves: .octaves
    case .beatsPerMinute: .beatsPerMinute
    case .degrees: .degrees
    case .metres: .metres
    case .frames: .frames
    }
  }
}

/// A number in a manifest's notation: decimal, with an optional unit, as in `-40 dB`, `3kHz` and `0.25`.
public struct Quantity: Sendable, Equatable {
  /// The number before the unit.
  public var number: Double
  /// The unit; nil if none is given.
  public var unit: WrittenUnit?

  /// Creates a number with an optional unit.
  public init(_ number: Double, _ unit: WrittenUnit? = nil) {
    self.number = number
    self.unit = unit
  }

  /// Parses a quantity; returns nil if the text is not one.
  ///
  /// The number is decimal: `010` is ten, and `1:30`, `0x10`, `1_000`, `.inf` are not valid.
  public init?(_ text: String) {
    guard let end = Self.numberEnd(Array(text.utf8)) else { return nil }
    let number = text.utf8.prefix(end), rest = text.utf8.dropFirst(end)
    guard let value = Double(String(decoding: number, as: UTF8.self)), value.isFinite else { return nil }
    let word = String(decoding: rest, as: UTF8.self).drop { $0 == " " }
    guard !word.isEmpty else {
      guard rest.isEmpty else { return nil }
      self.init(value)
      return
    }
    guard let unit = WrittenUnit(rawValue: String(word)) else { return nil }
    self.init(value, unit)
  }

  /// Returns the value in `target`; nil if the two units measure different things. A number without a unit is
  /// returned unchanged.
  public func value(in target: ParameterUnit) -> Double? {
    guard let unit else { return number }
    guard let wanted = target.written, unit.base.unit == wanted.base.unit else { return nil }
    return unit == wanted ? number : number * unit.base.factor / wanted.base.factor
  }

  /// Returns the end of the decimal number at the start of the text; nil if there is none.
  private static func numberEnd(_ bytes: [UInt8]) -> Int? {
    var index = 0
    func digits() -> Int {
      let start = index
      while index < bytes.count, (48...57).contains(bytes[index]) { index += 1 }
      return index - start
    }
    func skip(_ letters: String) -> Bool {
      guard index < bytes.count, letters.utf8.contains(bytes[index]) else { return false }
      index += 1
      return true
    }
    _ = skip("+-")
    var count = digits()
    if skip(".") { count += digits() }
    guard count > 0 else { return nil }
    let beforeExponent = index
    if skip("eE") {
      _ = skip("+-")
      if digits() == 0 { index = beforeExponent }
    }
    return index
  }
}

extension Quantity: CustomStringConvertible {
  /// The quantity in a manifest's notation: `-40 dB`, `0.25`.
  public var description: String {
    let digits = number == number.rounded() && abs(number) < 1e15 ? "\(Int64(number))" : "\(number)"
    return unit.map { "\(digits) \($0.rawValue)" } ?? digits
  }
}
