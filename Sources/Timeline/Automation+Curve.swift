// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

extension Automation {
  /// The curve of a ramp; x goes from 0 to 1.
  @nonexhaustive public enum Curve: Hashable, Sendable {
    /// from + (to − from) · x
    case linear
    /// A straight line in decibels: from · (to / from)ˣ. Both values are levels, 0 or more; those below −96 dB count
    /// as −96 dB.
    case decibels
    /// from + (to − from) · (eᵏˣ − 1) / (eᵏ − 1): above 0 it starts slowly, below 0 fast, as a capacitor
    /// charges. The steepness k is from −32 to 32; at 0 the line is straight.
    case exponential(steepness: Float = 4)
    /// Starts and ends slowly: from + (to − from) · x² · (3 − 2x).
    case sCurve
    /// A rising value follows sin(x · π/2), a falling one cos(x · π/2): two sounds that crossfade by it have the same
    /// power at each moment.
    case equalPower
    /// A cubic Bézier from (0, 0) to (1, 1) with these two handles. Their x are from 0 to 1, their y from −1
    /// to 2, so that the value may overshoot.
    case bezier(x1: Float, y1: Float, x2: Float, y2: Float)
    /// No curve: the first value holds until the end, where the last one is set. Both values are set as bare steps,
    /// without a glide.
    case step

    /// Throws if the curve or its ends are out of range.
    func check(from: Float, to: Float) throws(AutomationError) {
      switch self {
      case .linear, .sCurve, .equalPower, .step: break
      case .decibels:
        guard from >= 0 || from.isNaN, to >= 0 || to.isNaN else { throw .negativeLevel(min(from, to)) }
      case .exponential(let steepness):
        guard -32...32 ~= steepness else { throw .badCurve("\(self)") }
      case .bezier(let x1, let y1, let x2, let y2):
        guard 0...1 ~= x1, 0...1 ~= x2, -1...2 ~= y1, -1...2 ~= y2 else { throw .badCurve("\(self)") }
      }
    }
  }
}

extension Automation.Curve: CustomStringConvertible {
  /// Parses a curve: `linear`, `dB`, `exponential`, `exponential -4`, `s-curve`, `equal-power`, `step`, `bezier 0.42 0
  /// 0.58 1`. Returns nil for other text.
  package init?(_ text: String) {
    let words = text.split(separator: " "), numbers = words.dropFirst().compactMap { Float($0) }
    guard let name = words.first, numbers.count == words.count - 1 else { return nil }
    switch (name, numbers.count) {
    case ("linear", 0): self = .linear
    case ("dB", 0): self = .decibels
    case ("exponential", 0): self = .exponential()
    case ("exponential", 1): self = .exponential(steepness: numbers[0])
    case ("s-curve", 0): self = .sCurve
    case ("equal-power", 0): self = .equalPower
    case ("step", 0): self = .step
    case ("bezier", 4): self = .bezier(x1: numbers[0], y1: numbers[1], x2: numbers[2], y2: numbers[3])
    default: return nil
    }
  }

  /// The curve in the manifest's notation.
  public var description: String {
    switch self {
    case .linear: "linear"
    case .decibels: "dB"
    case .exponential(let steepness): "exponential \(steepness)"
    case .sCurve: "s-curve"
    case .equalPower: "equal-power"
    case .step: "step"
    case .bezier(let x1, let y1, let x2, let y2): "bezier \(x1) \(y1) \(x2) \(y2)"
    }
  }
}
