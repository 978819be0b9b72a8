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
/// Programs use the case, `preset: .pingPong`; manifests and LV2 hosts use the name, which consists of the case's words
/// joined by hyphens.
public protocol PresetList: CaseIterable, Sendable {
  /// Returns the preset's name and values.
  func describe() -> EffectPreset
}

/// The empty list of presets, for an effect without presets.
public enum NoPresets: PresetList {
  public static var allCases: [NoPresets] { [] }

  public func describe() -> EffectPreset { switch self {} }
}

/// A preset: a named set of parameter values.
public struct EffectPreset: Sendable {
  /// The preset's name: lower-case words joined by hyphens.
  public let name: StaticString
  /// Parameter indices and their values.
  public let values: [(parameter: Int, value: Float)]

  /// Creates a preset of parameter indices and values.
  public init(_ name: StaticString, _ values: [(parameter: Int, value: Float)]) {
    self.name = name
    self.values = values
  }
}
