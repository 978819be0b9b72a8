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

  /// Makes a unit that is silent and at its parameters' initial values. Control thread; allocates all it needs.
  ///
  /// - Throws: ``UnitError`` where the layout cannot be served.
  init(_ layout: Layout) throws(UnitError)

  /// How many frames the output lies behind the input, 0 or more. Read after each `set`.
  var latency: Int { get }

  /// For how many frames sound goes on after the input fell silent; `Int.max` for ever. Read after each `set`.
  var tail: Int { get }

  /// Forgets all sound, and finishes all glides. Audio thread.
  mutating func reset()

  /// Moves a parameter to `value`, in the unit of its description, over `frames` frames; 0 is at once. Audio thread.
  ///
  /// The host has clamped `value` to the range of the description.
  mutating func set(_ parameter: Parameter, to value: Float, over frames: Int)

  /// Works on a block: reads the inputs, fills every channel of every output. Audio thread.
  mutating func process(_ block: Block)
}

extension EffectUnit where Self: ~Copyable {
  public var latency: Int { 0 }
  public var tail: Int { 0 }
}

/// What a unit is made for.
public struct Layout: Sendable {
  /// Frames a second.
  public var sampleRate: Double
  /// The longest block that will come, in frames.
  public var longestBlock: Int
  /// Channels of each input bus, in the order of the description.
  public var inputs: [Int]
  /// Channels of each output bus.
  public var outputs: [Int]
  /// How many bands the unit has; 0 for a unit without.
  public var bandCount: Int

  /// A layout with one input and one output bus of `channels`, unless told otherwise.
  public init(
    sampleRate: Double, longestBlock: Int, channels: Int = 2, inputs: [Int]? = nil, outputs: [Int]? = nil,
    bandCount: Int = 0
  ) {
    self.sampleRate = sampleRate
    self.longestBlock = longestBlock
    self.inputs = inputs ?? [channels]
    self.outputs = outputs ?? [channels]
    self.bandCount = bandCount
  }
}

extension Layout {
  /// Refuses what no unit can work with: a rate that is none, more or fewer channels than asked for.
  ///
  /// - Parameters:
  ///   - channels: how many channels each bus may have.
  ///   - bands: how many bands the unit may have; nil for a unit without.
  /// - Throws: the first thing that is wrong, as ``UnitError``.
  public func require(channels: ClosedRange<Int> = 1...64, bands: ClosedRange<Int>? = nil) throws(UnitError) {
    guard sampleRate >= 1000 && sampleRate <= 1_000_000 else { throw .sampleRate(sampleRate) }
    for count in inputs where !channels.contains(count) { throw .channels(count) }
    for count in outputs where !channels.contains(count) { throw .channels(count) }
    if let bands, !bands.contains(bandCount) { throw .bands(bandCount) }
  }

  /// Refuses a main output that is wider or narrower than the main input.
  ///
  /// - Throws: ``UnitError/channels(_:)`` with the channels of the output.
  public func requireMatching() throws(UnitError) {
    guard let input = inputs.first, let output = outputs.first, input == output else {
      throw .channels(outputs.first ?? 0)
    }
  }
}

/// Why a unit cannot be made.
public enum UnitError: Error, Equatable, Sendable {
  /// A sample rate the unit cannot work at.
  case sampleRate(Double)
  /// A number of channels the unit cannot work with.
  case channels(Int)
  /// A number of bands outside the description's range.
  case bands(Int)
}

/// What a unit is: names, buses, presets. Checks, help, the API and LV2 export are made from it.
public struct UnitDescription: Sendable {
  /// Its name in manifests, for ever: lower-case words joined by hyphens.
  public let symbol: StaticString
  /// Its name for people.
  public let name: StaticString
  /// What it does, in one line.
  public let meaning: StaticString
  /// Its LV2 URI, for ever.
  public let uri: StaticString
  /// Its class in LV2's tree, such as `DelayPlugin`.
  public let lv2Class: StaticString
  /// What comes in, main bus first.
  public let inputs: [UnitBus]
  /// What goes out, main bus first.
  public let outputs: [UnitBus]
  /// Whether output channel n may share the memory of input channel n.
  public let worksInPlace: Bool
  /// Values shown to the control thread, by the place that `Block.show` names.
  public let meters: [MeterDescription]
  /// Named sets of values.
  public let presets: [UnitPreset]

  /// Describes a unit with one audio bus in and one out, unless told otherwise.
  public init(
    _ symbol: StaticString, name: StaticString, _ meaning: StaticString, uri: StaticString,
    lv2Class: StaticString, inputs: [UnitBus] = [UnitBus("in")], outputs: [UnitBus] = [UnitBus("out")],
    worksInPlace: Bool = false, meters: [MeterDescription] = [], presets: [UnitPreset] = []
  ) {
    self.symbol = symbol
    self.name = name
    self.meaning = meaning
    self.uri = uri
    self.lv2Class = lv2Class
    self.inputs = inputs
    self.outputs = outputs
    self.worksInPlace = worksInPlace
    self.meters = meters
    self.presets = presets
  }
}

/// A bus of a unit.
public struct UnitBus: Sendable {
  /// What a bus carries.
  public enum Content: Sendable, Equatable {
    /// As many channels as the wire that feeds the main input brings.
    case matching
    /// So many channels, always.
    case channels(Int)
    /// Events, MIDI among them.
    case events
  }
  /// Its name in manifests: `in`, `sidechain`.
  public let symbol: StaticString
  /// What it carries.
  public let content: Content

  /// A bus, which follows the main input's channels unless told otherwise.
  public init(_ symbol: StaticString, _ content: Content = .matching) {
    self.symbol = symbol
    self.content = content
  }
}

/// A value that a unit shows while it runs: gain reduction, a pitch.
public struct MeterDescription: Sendable {
  /// Its name for machines.
  public let symbol: StaticString
  /// What its number counts.
  public let unit: ParameterUnit
  /// The values it shows.
  public let range: ClosedRange<Float>

  /// Describes a meter.
  public init(_ symbol: StaticString, unit: ParameterUnit, range: ClosedRange<Float>) {
    self.symbol = symbol
    self.unit = unit
    self.range = range
  }
}

/// A named set of values.
public struct UnitPreset: Sendable {
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
