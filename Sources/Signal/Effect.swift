// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

/// An effect: made and destroyed on the control thread, used on the audio thread in between.
///
/// One file holds one unit. It ends with a proof, which the compiler checks (marks are not inherited from a
/// protocol, so the concrete type must be named once):
///
/// ```swift
/// @_noLocks @_noAllocation private func proof(_ unit: inout Gain, _ block: Block) {
///   unit.set(.gain, to: 0, over: 0)
///   unit.reset()
///   unit.process(block)
/// }
/// ```
public protocol Effect: ~Copyable, SendableMetatype {
  /// The numbers of the effect's parameters, as `set` gets them: an enumeration whose raw values are dense from 0.
  ///
  /// An effect with bands numbers its plain parameters first, then those of band 0, band 1 and so on: `init?(rawValue:)`
  /// undoes that on the audio thread and is marked for it.
  associatedtype Parameter: RawRepresentable<Int>, Sendable
  /// The plain parameters. In an effect without bands, their keys are `Parameter` itself.
  associatedtype Parameters: ParameterList
  /// The parameters of each band.
  associatedtype BandParameters: ParameterList = NoParameters
  /// The presets; default: none.
  associatedtype Preset: PresetList = NoPresets

  /// The description of the bands; nil, the default, for an effect without bands.
  static var bands: BandDescription? { get }

  /// The description of the effect: symbol, name, URI and files. Read on a control thread.
  static var description: EffectDescription { get }

  /// Makes an effect that is silent, with its parameters at their default values. Runs on a control thread, and allocates all
  /// memory that the effect needs.
  ///
  /// - Throws: ``EffectError`` if the effect does not work with the layout.
  init(_ layout: Layout) throws(EffectError)

  /// The latency in frames, 0 or more. Read after each `set`.
  var latency: Int { get }

  /// The number of frames for which sound goes on after the input fell silent; `Int.max` if it never ends. Read after
  /// each `set`.
  var tail: Int { get }

  /// The response of an effect that only filters to sines, computed from its settings; nil for an effect that does more.
  /// Control thread.
  ///
  /// - Parameters:
  ///   - frequencies: the frequencies, in hertz.
  ///   - values: a value for every parameter, in the order of their numbers. A missing value counts as the default; a value
  ///     out of range is moved to the edge.
  ///   - layout: the layout that the effect is made for.
  static func response(at frequencies: [Double], values: [Float], layout: Layout) -> FrequencyResponse?

  /// Forgets all sound, and finishes all glides. Audio thread.
  mutating func reset()

  /// Moves a parameter to `value`, in the unit of its description, over `frames`
  /// frames; 0 is at once. Audio thread.
  ///
  /// The host has clamped `value` to the range of the description.
  mutating func set(_ parameter: Parameter, to value: Float, over frames: Int)

  /// Processes a block: reads the inputs and fills every channel of every output. Audio thread.
  mutating func process(_ block: Block)
}

extension Effect where Self: ~Copyable {
  public static var bands: BandDescription? { nil }

  /// The descriptions of the plain parameters, in the order of their numbers.
  public static var parameters: [ParameterDescription] { Parameters.descriptions }

  /// The description of every parameter of an effect with `bandCount` bands, in the order of their numbers.
  public static func parameters(bandCount: Int) -> [ParameterDescription] {
    var all = parameters
    guard let bands else { return all }
    for _ in 0..<max(bandCount, 0) { all += bands.parameters }
    return all
  }

  /// The presets, in their order: for manifests, help and LV2 hosts.
  public static var presets: [EffectPreset] {
    var all: [EffectPreset] = []
    for preset in Preset.allCases { all.append(preset.describe()) }
    return all
  }

  public var latency: Int { 0 }
  public var tail: Int { 0 }

  /// Nil: most units do more than filter.
  public static func response(at frequencies: [Double], values: [Float], layout: Layout)
    -> FrequencyResponse?
  {
    nil
  }
}
