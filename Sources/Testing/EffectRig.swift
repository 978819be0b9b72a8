// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

public import SwiftletSignal

/// A parameter change during a render.
public struct Change: Sendable {
  /// The frame of the change, counted from the start of the render.
  public var frame: Int
  /// The parameter's number.
  public var parameter: Int
  /// The new value.
  public var value: Float
  /// The duration of the change in frames; 0 for an immediate change.
  public var frames: Int

  /// Creates a change of `parameter` to `value` at `frame`, over `frames` frames.
  public init(at frame: Int, _ parameter: Int, to value: Float, over frames: Int = 0) {
    self.frame = frame
    self.parameter = parameter
    self.value = value
    self.frames = frames
  }
}

/// Runs one effect over arrays of samples, as a host does: in blocks that end where parameters change.
///
/// It is meant for tests. Outputs are filled with NaN before the effect runs, so an unwritten channel is noticed.
public struct EffectRig<E: Effect & ~Copyable>: ~Copyable {
  private var effect: E
  private let layout: Layout
  private var clock = 0
  /// The values of the effect's meters at the end of the last render, in the order of the description.
  public private(set) var meters: [Float] = []
  /// The transport of every block. The default is stopped, has no tempo, and freewheels, because a test has
  /// no listener.
  public var transport = {
    var still = Transport()
    still.isFreewheeling = true
    return still
  }()

  /// Creates an effect for a layout. If the layout has no bands, an effect with bands gets its initial number.
  ///
  /// - Throws: ``EffectError`` if the effect cannot be created.
  public init(_ layout: Layout) throws(EffectError) {
    var layout = layout
    if layout.bandCount == 0, let bands = E.bands {
      layout.bandCount = bands.count(channels: layout.inputs.first)
    }
    self.layout = layout
    effect = try E(layout)
  }

  /// The latency that the effect reports, in frames.
  public var latency: Int { effect.latency }
  /// The tail that the effect reports, in frames.
  public var tail: Int { effect.tail }

  /// Clears the effect's state, and restarts the frame count at 0.
  public mutating func reset() {
    effect.reset()
    clock = 0
  }

  /// Sets a parameter by number. Unknown numbers are ignored.
  public mutating func set(_ parameter: Int, to value: Float, over frames: Int = 0) {
    if let named = E.Parameter(rawValue: parameter) { effect.set(named, to: value, over: frames) }
  }

  /// Sets a parameter by name.
  public mutating func set(_ parameter: E.Parameter, to value: Float, over frames: Int = 0) {
    effect.set(parameter, to: value, over: frames)
  }

  /// Renders channels of samples and returns the channels of all outputs.
  ///
  /// - Parameters:
  ///   - input: The channels of the main input, all of the same length.
  ///   - further: The channels of further audio inputs, of the same length; default: those of the main input.
  ///   - blockSize: The maximum block length in frames; default: 256.
  ///   - changes: The parameter changes during the render, sorted by frame.
  ///   - inPlace: Whether the main output shares the memory of the main input; default: false.
  public mutating func render(
    _ input: [[Float]], further: [[Float]]? = nil, blockSize: Int = 256, changes: [Change] = [],
    inPlace: Bool = false
  ) -> [[Float]] {
    var ignored = input
    return render(
      input, further: further, blockSize: blockSize, changes: changes, inPlace: inPlace, inputAfter: &ignored)
  }

  /// Renders like the public method, and also returns the main input's memory after processing.
  mutating func render(
    _ input: [[Float]], further: [[Float]]? = nil, blockSize: Int = 256, changes: [Change] = [],
    inPlace: Bool = false, inputAfter: inout [[Float]]
  ) -> [[Float]] {
    let frameCount = input.first?.count ?? 0
    guard frameCount > 0 else { return Array(repeating: [], count: layout.outputs.reduce(0, +)) }
    let memory = RigMemory<E>(
      layout, input, further: further, transport: transport, inPlace: inPlace)
    let whole = memory.block(frame: Int64(clock), frameCount: frameCount)
    var start = 0, pending = changes[...]
    while start < frameCount {
      while let change = pending.first, change.frame <= start {
        set(change.parameter, to: change.value, over: change.frames)
        pending = pending.dropFirst()
      }
      let end = min(start + blockSize, pending.first?.frame ?? frameCount, frameCount)
      effect.process(whole.slice(from: start, count: end - start))
      start = end
    }
    clock += frameCount
    if !layout.inputs.isEmpty { inputAfter = memory.mainInput }
    meters = memory.meterValues
    return memory.output
  }
}
