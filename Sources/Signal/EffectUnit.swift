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
public protocol EffectUnit: ~Copyable, SendableMetatype {
  /// The unit's parameters.
  associatedtype Parameter: ParameterSet

  /// What the unit is. Data only: read on the control thread.
  static var description: UnitDescription { get }

  /// Makes a unit that is silent and at its parameters' initial values.
  /// Control thread; allocates all it needs.
  ///
  /// - Throws: ``UnitError`` where the layout cannot be served.
  init(_ layout: Layout) throws(UnitError)

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

extension EffectUnit where Self: ~Copyable {
  public var latency: Int { 0 }
  public var tail: Int { 0 }

  /// Nil: most units do more than filter.
  public static func response(at frequencies: [Double], values: [Float], layout: Layout)
    -> FrequencyResponse?
  {
    nil
  }
}
