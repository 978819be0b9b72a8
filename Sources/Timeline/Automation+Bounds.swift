// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

extension Automation {
  /// The lowest and the highest value that it ever has, those among them to which a Bézier curve overshoots.
  package var bounds: ClosedRange<Float> {
    var low = initial, high = initial
    for entry in entries {
      let bounds = entry.bounds
      low = min(low, bounds.lowerBound)
      high = max(high, bounds.upperBound)
    }
    return low...high
  }
}

extension Automation.Entry {
  /// The lowest and the highest value on its way.
  package var bounds: ClosedRange<Float> {
    var low = min(from, to), high = max(from, to)
    guard isRamp, case .bezier(_, let y1, _, let y2) = curve else { return low...high }
    for part in Self.turns(Double(y1), Double(y2)) where !(0...1 ~= part) {
      let value = Float(Double(from) + (Double(to) - Double(from)) * part)
      low = min(low, value)
      high = max(high, value)
    }
    return low...high
  }

  /// The heights at which a Bézier curve from 0 to 1 turns, none to two, given those of its handles.
  private static func turns(_ y1: Double, _ y2: Double) -> [Double] {
    // A third of the slope is a·s² + b·s + y1.
    let a = 1 + 3 * (y1 - y2), b = 2 * y2 - 4 * y1, square = b * b - 4 * a * y1
    guard square >= 0 else { return [] }
    // By way of q, no two numbers that are nearly the same are subtracted.
    let q = -(b + (b < 0 ? -square.squareRoot() : square.squareRoot())) / 2
    // What is divided by 0 is no place on the curve.
    return [q / a, y1 / q].filter { $0 > 0 && $0 < 1 }.map { s in
      let t = 1 - s
      return ((3 * t * y1 + 3 * s * y2) * t + s * s) * s
    }
  }
}
