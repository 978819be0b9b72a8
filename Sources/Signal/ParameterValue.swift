// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

/// A value of a parameter with its dimension: a level, a frequency, a time, a switch, a choice.
///
/// A parameter counts in a ``ParameterUnit``; a value converts itself to and from that unit. A value of another
/// dimension is a type of its own, so it does not compile where a parameter expects this one.
public protocol ParameterValue: Equatable, Sendable {
  /// The unit that a parameter of such values counts in by default.
  static var unit: ParameterUnit { get }
  /// The value that `number` stands for in a parameter that counts in `unit`.
  init(_ number: Float, in unit: ParameterUnit)
  /// The number that stands for the value in a parameter that counts in `unit`.
  func number(in unit: ParameterUnit) -> Float
}

extension ParameterValue {
  /// A bare number, unless the type says otherwise.
  public static var unit: ParameterUnit { .none }
}

/// A value that can be anything between two others, so that a parameter can move from one to the other.
public protocol ContinuousValue: ParameterValue {}

/// A value that is one of a few named ones: an enumeration whose raw values count from 0.
///
/// ```swift
/// public enum Change: Int, ParameterChoice {
///   case fade, tape
///   public var symbol: StaticString { switch self { case .fade: "fade" case .tape: "tape" } }
/// }
/// ```
public protocol ParameterChoice: ParameterValue, CaseIterable, RawRepresentable<Int> {
  /// The choice's name in manifests, for ever: lower-case words joined by hyphens.
  var symbol: StaticString { get }
}

extension ParameterChoice {
  /// The choice with this raw value; the first choice for a number that no choice has.
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
  /// A time from a parameter that counts in milliseconds or seconds.
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
