// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

/// The presets of an effect: an enumeration with a case for each, in the order in which they are listed.
///
/// ```swift
/// public enum Preset: PresetList {
///   case gentle, pingPong
///   public func describe() -> EffectPreset {
///     switch self {
///     case .gentle: EffectPreset("gentle", [(Parameter.mix.rawValue, 20)])
///     case .pingPong: EffectPreset("ping-pong", [(Parameter.mix.rawValue, 40)])
///     }
///   }
/// }
/// ```
///
/// Programs write the case, `preset: .pingPong`; manifests and LV2 hosts have the name, which is the case's words joined by
/// hyphens.
public protocol PresetList: CaseIterable, Sendable {
  /// The preset's name and values.
  func describe() -> EffectPreset
}

/// The presets of an effect that has none.
public enum NoPresets: PresetList {
  public static var allCases: [NoPresets] { [] }

  public func describe() -> EffectPreset { switch self {} }
}

/// A named set of values.
public struct EffectPreset: Sendable {
  /// Its name: lower-case words joined by hyphens.
  public let name: StaticString
  /// Parameter numbers and the values they take.
  public let values: [(parameter: Int, value: Float)]

  /// A preset of parameter numbers and values.
  public init(_ name: StaticString, _ values: [(parameter: Int, value: Float)]) {
    self.name = name
    self.values = values
  }
}
