// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

/// The parameters of an effect, or of one of its bands. Each is described once, as a property with the type of its
/// values.
///
/// ```swift
/// public struct Parameters: ParameterList {
///   public init() {}
///   public var time: TypedParameter<Parameter, Duration> {
///     .init(.time, "time", name: "Time", "Until the first repeat", range: 0...10_000, default: .milliseconds(500))
///   }
///   public func describe(_ key: Parameter) -> ParameterDescription {
///     switch key { case .time: time.description }
///   }
/// }
/// ```
public protocol ParameterList: Sendable {
  /// The parameter indices, dense from 0.
  associatedtype Key: RawRepresentable<Int>, CaseIterable, Sendable
  init()
  /// Returns the description of the parameter with this key.
  func describe(_ key: Key) -> ParameterDescription
}

extension ParameterList {
  /// All descriptions, in the order of the parameters' indices.
  public static var descriptions: [ParameterDescription] {
    let list = Self()
    var all: [ParameterDescription] = []
    for key in Key.allCases { all.append(list.describe(key)) }
    return all
  }
}

/// The parameters of the bands of an effect that has no bands.
public struct NoParameters: ParameterList {
  /// The empty set of parameter indices.
  public enum Key: Int, CaseIterable, Sendable {
    case none
    public static var allCases: [Key] { [] }
  }

  public init() {}
  public func describe(_ key: Key) -> ParameterDescription {
    ParameterDescription("none", name: "None", "Does nothing", range: 0...1, initial: 0)
  }
}
