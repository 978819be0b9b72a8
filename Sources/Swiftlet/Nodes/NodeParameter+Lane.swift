// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

public import SwiftletSignal
public import SwiftletTimeline

extension NodeParameter {
  /// An automation lane of a parameter under construction: see ``NodeParameter/automate(_:)``.
  public struct Lane: Sendable {
    private enum Entry: Sendable {
      case set(Float, TimelinePosition, Automation.Curve)
      case ramp(from: Float?, to: Float, TimelinePosition, TimelinePosition, Automation.Curve)
    }

    private let unit: ParameterUnit
    private var entries: [Entry] = []

    init(unit: ParameterUnit) { self.unit = unit }

    /// Sets the value from a position on. The parameter glides to it, or crossfades, as with ``NodeParameter/value``.
    ///
    /// - Parameters:
    ///   - value: the value.
    ///   - position: where it is set.
    ///   - curve: `.step` for a bare step, without a glide. All other curves mean the default: the glide.
    public mutating func set(
      _ value: Value, at position: TimelinePosition, curve: Automation.Curve = .linear
    ) {
      entries.append(.set(value.number(in: unit), position, curve))
    }

    /// Converts the lane to an `Automation` in the engine's time.
    func automation(from initial: Float, on engine: AudioEngine) throws(EngineError) -> Automation {
      var lane = Automation(initial)
      for entry in entries {
        do throws(AutomationError) {
          switch entry {
          case .set(let value, let position, let curve):
            try lane.set(value, at: engine.time(of: position), curve: curve)
          case .ramp(let from, let to, let start, let end, let curve):
            let (start, end) = (engine.time(of: start), engine.time(of: end))
            guard start <= end else { throw .reversed(from: start, until: end) }
            try lane.ramp(from: from, to: to, in: start..<end, curve: curve)
          }
        } catch {
          throw .automation(error)
        }
      }
      return lane
    }
  }
}

extension NodeParameter.Lane where Value: ContinuousValue {
  /// Moves the value between two positions.
  ///
  /// - Parameters:
  ///   - value: the value at the end, which then stays.
  ///   - initial: the value at the start; default: the one that the lane has there.
  ///   - start: where the ramp begins.
  ///   - end: where the ramp ends, not before its start.
  ///   - curve: the shape of the ramp; default: a straight line.
  public mutating func ramp(
    to value: Value, startingAt initial: Value? = nil, from start: TimelinePosition,
    until end: TimelinePosition,
    curve: Automation.Curve = .linear
  ) {
    entries.append(.ramp(from: initial?.number(in: unit), to: value.number(in: unit), start, end, curve))
  }
}
