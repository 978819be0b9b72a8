// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

// What is said of values: of parameters, and the buffers that are rendered.

extension EngineError {
  /// The text says no value that the parameter takes.
  static func badValueText(
    _ text: String, of parameter: String, of node: String, expected: String
  ) -> String {
    "'\(parameter)' of '\(node)' cannot be '\(text)': it takes \(expected)"
  }

  /// The buffer has another rate than the engine.
  static func bufferRateText(_ rate: Double, of node: String, _ expected: Double) -> String {
    "'\(node)' cannot take the buffer: its sample rate is \(rate) Hz instead of \(expected) Hz; convert it with an"
      + " AudioConverter"
  }
}
