// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

// The messages about values: of parameters, and of buffers to render.

extension EngineError {
  /// Returns the message for a text that is not a valid value of the parameter.
  static func badValueText(
    _ text: String, of parameter: String, of node: String, expected: String
  ) -> String {
    "'\(parameter)' of '\(node)' cannot be '\(text)': it takes \(expected)"
  }

  /// Returns the message for a buffer with another sample rate than the engine.
  static func bufferRateText(_ rate: Double, of node: String, _ expected: Double) -> String {
    "'\(node)' cannot take the buffer: its sample rate is \(rate) Hz instead of \(expected) Hz; convert it with an"
      + " AudioConverter"
  }
}
