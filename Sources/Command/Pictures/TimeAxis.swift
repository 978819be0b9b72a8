// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

/// The time marks of a picture.
struct TimeAxis: Equatable {
  /// A mark.
  struct Mark: Equatable {
    /// The time in seconds.
    var time: Double
    /// The label.
    var label: String
  }

  /// The duration of the picture in seconds; above 0.
  var duration: Double
  /// The marks.
  var marks: [Mark]

  /// The possible distances of marks in seconds.
  private static let steps = [
    0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800,
    3600,
    7200, 14_400, 43_200, 86_400,
  ]

  /// Creates at most about `most` marks for a duration in seconds.
  init(_ duration: Double, most: Int) {
    let duration = duration.isFinite && duration > 0 ? duration : 1
    self.duration = duration
    let least = duration / Double(max(most, 1))
    let step = Self.steps.first { $0 >= least } ?? (least / 86_400).rounded(.up) * 86_400
    marks = (0...Int(duration / step + 1e-9)).map { number in
      Mark(time: Double(number) * step, label: Self.label(number, step))
    }
  }

  /// Returns a time as text: `1:30`, or `0:00.25` if marks are less than a second apart.
  private static func label(_ number: Int, _ step: Double) -> String {
    guard step < 1 else { return Digits.clock(Double(number) * step) }
    let decimals = step >= 0.1 ? 1 : step >= 0.01 ? 2 : 3
    let scale = decimals == 1 ? 10 : decimals == 2 ? 100 : 1000
    // In integers, because tenths have no exact floating-point value.
    let parts = number * Int((step * Double(scale)).rounded())
    let rest = String(parts % scale)
    return
      "\(Digits.clock(Double(parts / scale))).\(String(repeating: "0", count: decimals - rest.count))\(rest)"
  }
}
