// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import Swiftlet

/// The outlines of a waveform: highs from left to right, then lows back.
struct WaveformShape {
  /// The columns.
  var columns: [WaveformOverview.Bucket]
  /// The left edge, and the width of all columns, in points.
  var left: Double, width: Double
  /// The y coordinate of silence, and the distance of full scale from it, in points.
  var middle: Double, reach: Double

  /// Returns the outline of minimum and maximum, each column multiplied by a factor.
  func outline(_ factor: (Int) -> Double = { _ in 1 }) -> String {
    shape { (Double($0.high) * factor($1), Double($0.low) * factor($1)) }
  }

  /// Returns the outline of the RMS value, each column multiplied by a factor.
  func body(_ factor: (Int) -> Double = { _ in 1 }) -> String {
    shape { (Double($0.rms) * factor($1), -Double($0.rms) * factor($1)) }
  }

  /// Marks above the columns that reach full scale.
  var clipped: String {
    columns.enumerated().filter { max($0.element.high, -$0.element.low) >= 0.999_969 }.map { index, _ in
      "M\(SVG.number(x(index))) \(SVG.number(middle - reach - 4))v3"
    }.joined()
  }

  private func x(_ column: Int) -> Double {
    left + (Double(column) + 0.5) * width / Double(max(columns.count, 1))
  }

  private func y(_ value: Double) -> Double { middle - reach * min(max(value, -1), 1) }

  private func shape(_ ends: (WaveformOverview.Bucket, Int) -> (high: Double, low: Double)) -> String {
    guard !columns.isEmpty else { return "" }
    var above: [(x: Double, y: Double)] = [], below: [(x: Double, y: Double)] = []
    for (index, column) in columns.enumerated() {
      let (high, low) = ends(column, index)
      // Silence is drawn as a thin line.
      above.append((x(index), min(y(high), middle - 0.3)))
      below.append((x(index), max(y(low), middle + 0.3)))
    }
    return SVG.line(above + below.reversed()) + "Z"
  }
}
