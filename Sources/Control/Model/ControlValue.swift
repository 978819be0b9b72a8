// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

/// A value of an address: in JSON a number, true or false, or text.
package enum ControlValue: Sendable, Equatable {
  /// A number in the unit of the address.
  case number(Double)
  /// A switch.
  case toggle(Bool)
  /// Text: the name of a choice, or any value in the notation of manifests, such as `350 ms`.
  case text(String)
}

extension ControlValue: Codable {
  package init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if let toggle = try? container.decode(Bool.self) {
      self = .toggle(toggle)
    } else if let number = try? container.decode(Double.self) {
      self = .number(number)
    } else {
      self = .text(try container.decode(String.self))
    }
  }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    switch self {
    // JSON has neither infinity nor NaN.
    case .number(let number) where !number.isFinite: try container.encodeNil()
    case .number(let number): try container.encode(number)
    case .toggle(let isOn): try container.encode(isOn)
    case .text(let text): try container.encode(text)
    }
  }
}

/// The value of an address at one time.
package struct ControlReading: Codable, Sendable, Equatable {
  /// The address, such as `echo.time`.
  package var address: String
  /// The value; nil if the session does not know it.
  package var value: ControlValue?
  /// The value in the notation of manifests, such as `350 ms`.
  package var text: String

  /// Creates a reading.
  package init(address: String, value: ControlValue?, text: String) {
    (self.address, self.value, self.text) = (address, value, text)
  }
}
