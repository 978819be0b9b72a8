// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

/// A value of a parameter with its dimension: a level, a frequency, a time, a switch, a choice.
///
/// A parameter has a ``ParameterUnit``; a value converts itself to and from that unit. Values of different dimensions
/// have different types, so a value of the wrong dimension does not compile.
public protocol ParameterValue: Equatable, Sendable {
  /// The default unit of a parameter with such values.
  static var unit: ParameterUnit { get }
  /// Creates the value from a number in `unit`.
  init(_ number: Float, in unit: ParameterUnit)
  /// Returns the value as a number in `unit`.
  func number(in unit: ParameterUnit) -> Float
}

extension ParameterValue {
  /// The default: no unit.
  public static var unit: ParameterUnit { .none }
}

/// A value from a continuous range, so that a parameter can glide from one value to another.
public protocol ContinuousValue: ParameterValue {}

/// A value that is one of a few named choices: an enumeration whose raw values count from 0.
///
/// ```swift
/// public enum Change: Int, ParameterChoice {
///   case fade, tape
///   public var symbol: StaticString { switch self { case .fade: "fade" case .tape: "tape" } }
/// }
/// ```
public protocol ParameterChoice: ParameterValue, CaseIterable, RawRepresentable<Int> {
  /// The choice's name in manifests, which never changes: lower-case words joined by hyphens.
  var symbol: StaticString { get }
}

extension ParameterChoice {
  /// Creates the choice with this raw value, or the first choice if there is none.
  public init(_ number: Float, in unit: ParameterUnit) {
    self = Self(rawValue: Int(exactly: number) ?? 0) ?? Self.allCases[Self.allCases.startIndex]
  }
  public func number(in unit: ParameterUnit) -> Float { Float(rawValue) }
}

extension Float: ContinuousValue {
  public init(_ number: Float, in unit: ParameterUnit) { self = number }
  public func number(in unit: ParameterUnit) -> Float { self }
}

extension Int: ParameterValue {
  public init(_ number: Float, in unit: ParameterUnit) { self = Int(exactly: number.rounded()) ?? 0 }
  public func number(in unit: ParameterUnit) -> Float { Float(self) }
}

extension Bool: ParameterValue {
  public init(_ number: Float, in unit: ParameterUnit) { self = number >= 0.5 }
  public func number(in unit: ParameterUnit) -> Float { self ? 1 : 0 }
}

extension Duration: ContinuousValue {
  public static var unit: ParameterUnit { .milliseconds }
  /// Creates a time from a number of milliseconds or seconds.
  public init(_ number: Float, in unit: ParameterUnit) {
    let seconds = unit == .seconds ? Double(number) : Double(number) / 1000
    self = .seconds(seconds.isFinite ? min(max(seconds, -1e9), 1e9) : 0)
  }
  public func number(in unit: ParameterUnit) -> Float {
    let (seconds, attoseconds) = components
    let factor = unit == .seconds ? 1.0 : 1000
    return Float(Double(seconds) * factor + Double(attoseconds) * (factor * 1e-18))
  }
}
