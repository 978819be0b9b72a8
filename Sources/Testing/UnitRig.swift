// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

public import SwiftletSignal

/// A parameter that moves while a unit renders.
public struct Change: Sendable {
  /// The frame, counted from the start of the render, before which it happens.
  public var frame: Int
  /// The parameter's number.
  public var parameter: Int
  /// What it is set to.
  public var value: Float
  /// How many frames the change takes; 0 is at once.
  public var frames: Int

  /// A change of `parameter` to `value` at `frame`, over `frames` frames.
  public init(at frame: Int, _ parameter: Int, to value: Float, over frames: Int = 0) {
    self.frame = frame
    self.parameter = parameter
    self.value = value
    self.frames = frames
  }
}

/// Runs one unit over arrays of samples, as a host would: in blocks, cut where parameters change.
///
/// For tests. Outputs are full of NaN before the unit writes them, so a channel left unwritten shows.
public struct UnitRig<Unit: Effect & ~Copyable>: ~Copyable {
  private var unit: Unit
  private let layout: Layout
  private var clock = 0
  /// What the unit's meters showed at the end of the last render, in the order of the description.
  public private(set) var meters: [Float] = []
  /// The transport that every block shows; one that stands still, with no tempo, and freewheels, unless told
  /// otherwise: nobody listens to a test.
  public var transport = {
    var still = Transport()
    still.isFreewheeling = true
    return still
  }()

  /// A unit for `layout`, or with `channels` in and out at `sampleRate`. Bands: as the description starts
  /// with, unless the layout says how many.
  ///
  /// - Throws: ``EffectError`` where the unit refuses.
  public init(_ layout: Layout) throws(EffectError) {
    var layout = layout
    if layout.bandCount == 0, let bands = Unit.bands {
      layout.bandCount = bands.count(channels: layout.inputs.first)
    }
    self.layout = layout
    unit = try Unit(layout)
  }

  /// What the unit says of its delay and its decay, in frames.
  public var latency: Int { unit.latency }
  /// For how long it says sound goes on.
  public var tail: Int { unit.tail }

  /// Forgets all sound.
  public mutating func reset() {
    unit.reset()
    clock = 0
  }

  /// Sets a parameter by number; a number the unit does not have is ignored.
  public mutating func set(_ parameter: Int, to value: Float, over frames: Int = 0) {
    if let named = Unit.Parameter(rawValue: parameter) { unit.set(named, to: value, over: frames) }
  }

  /// Sets a parameter by name.
  public mutating func set(_ parameter: Unit.Parameter, to value: Float, over frames: Int = 0) {
    unit.set(parameter, to: value, over: frames)
  }

  /// Renders `input` (channels of samples, of one length) and gives the channels of all outputs.
  ///
  /// - Parameters:
  ///   - input: what the main input gets.
  ///   - further: what further audio inputs get, as long; the same where nothing is given.
  ///   - blockSize: the longest block, in frames.
  ///   - changes: parameters that move on the way, in the order of their frames.
  ///   - inPlace: whether the main output shares the memory of the main input.
  public mutating func render(
    _ input: [[Float]], further: [[Float]]? = nil, blockSize: Int = 256, changes: [Change] = [],
    inPlace: Bool = false
  ) -> [[Float]] {
    var ignored = input
    return render(
      input, further: further, blockSize: blockSize, changes: changes, inPlace: inPlace, inputAfter: &ignored)
  }

  /// As the public one, and tells what the memory of the main input holds afterwards.
  mutating func render(
    _ input: [[Float]], further: [[Float]]? = nil, blockSize: Int = 256, changes: [Change] = [],
    inPlace: Bool = false, inputAfter: inout [[Float]]
  ) -> [[Float]] {
    let frameCount = input.first?.count ?? 0
    guard frameCount > 0 else { return Array(repeating: [], count: layout.outputs.reduce(0, +)) }
    let memory = RigMemory<Unit>(
      layout, input, further: further, transport: transport, inPlace: inPlace)
    let whole = memory.block(frame: Int64(clock), frameCount: frameCount)
    var start = 0, pending = changes[...]
    while start < frameCount {
      while let change = pending.first, change.frame <= start {
        set(change.parameter, to: change.value, over: change.frames)
        pending = pending.dropFirst()
      }
      let end = min(start + blockSize, pending.first?.frame ?? frameCount, frameCount)
      unit.process(whole.slice(from: start, count: end - start))
      start = end
    }
    clock += frameCount
    if !layout.inputs.isEmpty { inputAfter = memory.mainInput }
    meters = memory.meterValues
    return memory.output
  }
}
