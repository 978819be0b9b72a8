// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

/// An audio effect. It is created and destroyed on a control thread, and used on the audio thread in between.
///
/// Each effect has a file of its own. The file ends with a proof, which the compiler checks: annotations are not
/// inherited from a protocol, so the concrete type must be named once.
///
/// ```swift
/// @_noLocks @_noAllocation private func proof(_ effect: inout Gain, _ block: Block) {
///   effect.set(.gain, to: 0, over: 0)
///   effect.reset()
///   effect.process(block)
/// }
/// ```
public protocol Effect: ~Copyable, SendableMetatype {
  /// The indices of the effect's parameters, as `set` receives them: an enumeration whose raw values are dense from 0.
  ///
  /// An effect with bands numbers its plain parameters first, then those of band 0, band 1 and so on.
  /// `init?(rawValue:)` decodes that on the audio thread and is annotated for it.
  associatedtype Parameter: RawRepresentable<Int>, Sendable
  /// The plain parameters, which belong to no band. In an effect without bands, their keys are `Parameter` itself.
  associatedtype Parameters: ParameterList
  /// The parameters of each band.
  associatedtype BandParameters: ParameterList = NoParameters
  /// The presets; default: none.
  associatedtype Preset: PresetList = NoPresets

  /// The description of the bands; nil, the default, for an effect without bands.
  static var bands: BandDescription? { get }

  /// The description of the effect: symbol, name, URI and files. Read on a control thread.
  static var description: EffectDescription { get }

  /// Creates a silent effect with its parameters at their default values. Runs on a control thread, and allocates all
  /// memory that the effect needs.
  ///
  /// - Throws: ``EffectError`` if the effect does not support the layout.
  init(_ layout: Layout) throws(EffectError)

  /// The latency in frames, 0 or more. Read after each `set`.
  var latency: Int { get }

  /// The number of frames for which the output continues after the input has become silent; `Int.max` if it never ends.
  /// Read after each `set`.
  var tail: Int { get }

  /// Returns the frequency response of an effect that is a linear filter, computed from its settings; nil for any other
  /// effect. Control thread.
  ///
  /// - Parameters:
  ///   - frequencies: the frequencies, in hertz.
  ///   - values: a value for each parameter, in the order of their indices. A missing value counts as the default; a
  ///     value outside the range is clamped.
  ///   - layout: the layout that the effect is created for.
  static func response(at frequencies: [Double], values: [Float], layout: Layout) -> FrequencyResponse?

  /// Clears all audio state and finishes all glides. Audio thread.
  mutating func reset()

  /// Moves a parameter to `value`, in the unit of its description. Audio thread.
  ///
  /// The host has clamped `value` to the range of the description. ``Ramp/glide(to:over:)`` reads `frames` as this
  /// function does.
  ///
  /// - Parameter frames: the length of the move. Above 0: a ramp that the user wrote, in a straight line over `frames`
  ///   frames. 0: at once. Below 0: a step, smoothed over −`frames` frames, the glide of the description; a value that
  ///   cannot glide crossfades.
  mutating func set(_ parameter: Parameter, to value: Float, over frames: Int)

  /// The part of the latency, in frames, that lies before the point at which a parameter acts; default: 0. Lanes are
  /// delayed by it, so that they meet the sound of their frame. Audio thread.
  func latency(before parameter: Parameter) -> Int

  /// Processes a block: reads the inputs and fills every channel of every output. Audio thread.
  mutating func process(_ block: Block)
}

extension Effect where Self: ~Copyable {
  public static var bands: BandDescription? { nil }

  /// The descriptions of the plain parameters, in the order of their indices.
  public static var parameters: [ParameterDescription] { Parameters.descriptions }

  /// Returns the description of every parameter of an effect with `bandCount` bands, in the order of their indices.
  public static func parameters(bandCount: Int) -> [ParameterDescription] {
    var all = parameters
    guard let bands else { return all }
    for _ in 0..<max(bandCount, 0) { all += bands.parameters }
    return all
  }

  /// The presets in their order, for manifests, help and LV2 hosts.
  public static var presets: [EffectPreset] {
    var all: [EffectPreset] = []
    for preset in Preset.allCases { all.append(preset.describe()) }
    return all
  }

  public var latency: Int { 0 }
  public var tail: Int { 0 }

  /// Returns 0, the default: parameters act at the input.
  @_noLocks @_noAllocation public func latency(before parameter: Parameter) -> Int { 0 }

  /// Returns nil, the default: most effects are not linear filters.
  public static func response(at frequencies: [Double], values: [Float], layout: Layout)
    -> FrequencyResponse?
  {
    nil
  }
}
