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

  /// What repeats for each band; nil, the default, for an effect without bands.
  static var bands: BandDescription? { get }

  /// What the unit is. Data only: read on the control thread.
  static var description: EffectDescription { get }

  /// Makes a unit that is silent and at its parameters' initial values.
  /// Control thread; allocates all it needs.
  ///
  /// - Throws: ``EffectError`` where the layout cannot be served.
  init(_ layout: Layout) throws(EffectError)

  /// How many frames the output lies behind the input, 0 or more. Read after each `set`.
  var latency: Int { get }

  /// For how many frames sound goes on after the input fell silent; `Int.max` for ever. Read after each
  /// `set`.
  var tail: Int { get }

  /// What a unit that only filters does to sines, computed from settings alone; nil for one that does more.
  /// Control thread.
  ///
  /// - Parameters:
  ///   - frequencies: where, in hertz.
  ///   - values: a value for every parameter, in the order of their numbers. What is missing is at its
  ///     initial value, what lies outside its range at the nearest that does not.
  ///   - layout: what the unit is made for.
  static func response(at frequencies: [Double], values: [Float], layout: Layout) -> FrequencyResponse?

  /// Forgets all sound, and finishes all glides. Audio thread.
  mutating func reset()

  /// Moves a parameter to `value`, in the unit of its description, over `frames`
  /// frames; 0 is at once. Audio thread.
  ///
  /// The host has clamped `value` to the range of the description.
  mutating func set(_ parameter: Parameter, to value: Float, over frames: Int)

  /// Works on a block: reads the inputs, fills every channel of every output. Audio thread.
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
