// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import Swiftlet

/// The outlines of a waveform: column after column, highs from left to right and lows back.
struct WaveformShape {
  /// The columns.
  var columns: [WaveformOverview.Bucket]
  /// Where they begin, and how wide all of them are.
  var left: Double, width: Double
  /// The height of silence, and how far from it full scale is.
  var middle: Double, reach: Double

  /// All that the sound touches, each column times a factor of its own.
  func outline(_ factor: (Int) -> Double = { _ in 1 }) -> String {
    shape { (Double($0.high) * factor($1), Double($0.low) * factor($1)) }
  }

  /// How strong it is.
  func body(_ factor: (Int) -> Double = { _ in 1 }) -> String {
    shape { (Double($0.rms) * factor($1), -Double($0.rms) * factor($1)) }
  }

  /// Where columns reach full scale: small marks above them.
  var clipped: String {
    columns.enumerated().filter { max($0.element.high, -$0.element.low) >= 0.999_969 }.map { place, _ in
      "M\(SVG.number(x(place))) \(SVG.number(middle - reach - 4))v3"
    }.joined()
  }

  private func x(_ column: Int) -> Double {
    left + (Double(column) + 0.5) * width / Double(max(columns.count, 1))
  }

  private func y(_ value: Double) -> Double { middle - reach * min(max(value, -1), 1) }

  private func shape(_ ends: (WaveformOverview.Bucket, Int) -> (high: Double, low: Double)) -> String {
    guard !columns.isEmpty else { return "" }
    var above: [(x: Double, y: Double)] = [], below: [(x: Double, y: Double)] = []
    for (place, column) in columns.enumerated() {
      let (high, low) = ends(column, place)
      // Silence is a line, not nothing.
      above.append((x(place), min(y(high), middle - 0.3)))
      below.append((x(place), max(y(low), middle + 0.3)))
    }
    return SVG.line(above + below.reversed()) + "Z"
  }
}
