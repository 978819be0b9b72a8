// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import SwiftletGraph
internal import SwiftletManifest
internal import SwiftletSignal

extension ProcessorInfo.Meter {
  /// Returns the meter's symbol and value as a text of constant width: `reduction  3.2 dB`, `note A3`.
  func words(_ value: Float) -> String {
    switch unit {
    case .midiNote: return "\(symbol) \(Self.note(value))"
    default:
      // 0 Hz means that no frequency was detected.
      let isNothing = unit == .hertz && value == 0
      let number = isNothing ? "-" : Digits.fixed(Double(value), 1)
      let padding = String(repeating: " ", count: max(5 - number.count, 0))
      return "\(symbol) \(padding)\(number)\(unit.written.map { " \($0.rawValue)" } ?? "")"
    }
  }

  /// Returns the name of a MIDI note, padded to the longest name. Note 60 is C4.
  private static func note(_ number: Float) -> String {
    let names = ["C", "C#", "D", "D#", "E", "F", "F#", "G", "G#", "A", "A#", "B"]
    guard number >= 1, number < 128 else { return "-   " }
    let name = names[Int(number) % 12] + String(Int(number) / 12 - 1)
    return name + String(repeating: " ", count: max(4 - name.count, 0))
  }
}
