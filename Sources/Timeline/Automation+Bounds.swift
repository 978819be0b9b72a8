// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

extension Automation {
  /// The lowest and the highest value of the automation, including overshoots of Bézier curves.
  package var bounds: ClosedRange<Float> {
    var low = initial, high = initial
    for entry in entries {
      let bounds = entry.bounds
      low = min(low, bounds.lowerBound)
      high = max(high, bounds.upperBound)
    }
    return low...high
  }

  /// Returns the automation with its values clamped to a range: steps, and both ends of ramps.
  ///
  /// If a Bézier curve would still overshoot the range, its handles are clamped, so that it stays between its two ends.
  package func clamped(to range: ClosedRange<Float>) -> Automation {
    let bounds = bounds
    guard bounds.lowerBound < range.lowerBound || bounds.upperBound > range.upperBound else { return self }
    func clamp(_ value: Float) -> Float { min(max(value, range.lowerBound), range.upperBound) }
    var lane = Automation(clamp(initial))
    lane.entries = entries.map { old in
      let new = Entry(range: old.range, from: clamp(old.from), to: clamp(old.to), curve: old.curve)
      guard case .bezier(let x1, let y1, let x2, let y2) = old.curve, !range.contains(new.bounds) else {
        return new
      }
      let inner = Curve.bezier(x1: x1, y1: min(max(y1, 0), 1), x2: x2, y2: min(max(y2, 0), 1))
      return Entry(range: old.range, from: new.from, to: new.to, curve: inner)
    }
    return lane
  }
}

extension Automation.Entry {
  /// The lowest and the highest value of the entry.
  package var bounds: ClosedRange<Float> {
    var low = min(from, to), high = max(from, to)
    guard isRamp, case .bezier(_, let y1, _, let y2) = curve else { return low...high }
    for part in Self.extremes(Double(y1), Double(y2)) where !(0...1 ~= part) {
      let value = Float(Double(from) + (Double(to) - Double(from)) * part)
      low = min(low, value)
      high = max(high, value)
    }
    return low...high
  }

  /// Returns the extreme values, none to two, of a Bézier curve from 0 to 1 whose handles have the values `y1` and
  /// `y2`.
  private static func extremes(_ y1: Double, _ y2: Double) -> [Double] {
    // A third of the slope is a·s² + b·s + y1.
    let a = 1 + 3 * (y1 - y2), b = 2 * y2 - 4 * y1, square = b * b - 4 * a * y1
    guard square >= 0 else { return [] }
    // The form with q avoids subtracting nearly equal numbers.
    let q = -(b + (b < 0 ? -square.squareRoot() : square.squareRoot())) / 2
    // Divisions by 0 give no position on the curve.
    return [q / a, y1 / q].filter { $0 > 0 && $0 < 1 }.map { s in
      let t = 1 - s
      return ((3 * t * y1 + 3 * s * y2) * t + s * s) * s
    }
  }
}
