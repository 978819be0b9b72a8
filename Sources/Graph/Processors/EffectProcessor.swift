// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

public import SwiftletSignal
internal import Synchronization

/// A built-in effect as a processor of a plan.
///
/// It is prepared on the control thread: the first use of generic code allocates, so every parameter is set and a
/// silent block processed once, before the audio thread uses the effect.
@safe public final class EffectProcessor<E: Effect & ~Copyable>: Processor, @unchecked Sendable {
  // Behind a pointer, since a stored `var unit` would cost an exclusivity check at every access.
  private let effect: UnsafeMutablePointer<E>
  private let limits: UnsafeMutableBufferPointer<ParameterLimit>

  /// Creates the effect for `layout`, at its parameters' default values. If the layout states 0 bands, an effect with
  /// bands gets its default number. Control threads only.
  ///
  /// - Throws: ``EffectError`` if the effect does not support the layout.
  public init(_ layout: Layout) throws(EffectError) {
    var layout = layout
    if layout.bandCount == 0, let bands = E.bands {
      layout.bandCount = bands.count(channels: layout.inputs.first)
    }
    let made = try E(layout)
    let parameters = E.parameters(bandCount: layout.bandCount)
    unsafe effect = .allocate(capacity: 1)
    unsafe effect.initialize(to: made)
    unsafe limits = .allocate(capacity: parameters.count)
    for (number, parameter) in parameters.enumerated() {
      unsafe limits.initializeElement(
        at: number, to: ParameterLimit(parameter, sampleRate: layout.sampleRate))
    }
    let description = E.description
    super.init(worksInPlace: description.worksInPlace, meterCount: description.meters.count)
    prime(layout, parameters)
  }

  deinit {
    unsafe limits.deallocate()
    unsafe effect.deinitialize(count: 1)
    unsafe effect.deallocate()
  }

  public override func process(_ block: Block) {
    inspect(block)
    unsafe effect.pointee.process(block)
  }

  /// Changes a parameter by number. The value is clamped to its range, and rounded for whole numbers. A number that
  /// the effect does not have and a NaN value are ignored. A negative number of frames uses the parameter's own
  /// smoothing. Audio thread only.
  public override func set(_ parameter: Int, to value: Float, over frames: Int) {
    // Separate conditions: the right side of `&&` is a closure, which retains its captures.
    guard 0 <= parameter, unsafe parameter < limits.count, !value.isNaN,
      let named = E.Parameter(rawValue: parameter)
    else { return }
    let limit = unsafe limits[parameter]
    unsafe effect.pointee.set(named, to: limit.nearest(to: value), over: frames < 0 ? -limit.glide : frames)
    publish()
  }

  public override func timing(of parameter: Int) -> ParameterTiming {
    guard 0 <= parameter, unsafe parameter < limits.count, let named = E.Parameter(rawValue: parameter)
    else { return ParameterTiming() }
    return unsafe ParameterTiming(
      glide: limits[parameter].glide, latency: effect.pointee.latency(before: named))
  }

  public override func reset() {
    unsafe effect.pointee.reset()
    publish()
  }

  @inline(__always) private func publish() {
    unsafe publish(latency: effect.pointee.latency, tail: effect.pointee.tail)
  }

  /// Runs every code path once, then resets the effect to its initial state.
  private func prime(_ layout: Layout, _ parameters: [ParameterDescription]) {
    for number in parameters.indices { set(number, to: .infinity, over: 1) }
    let inputs = SilentBuses(E.description.inputs, channels: layout.inputs)
    let outputs = SilentBuses(E.description.outputs, channels: layout.outputs)
    withExtendedLifetime((inputs, outputs)) {
      unsafe withUnsafePointer(to: Transport()) { transport in
        let memory = unsafe BlockMemory(
          inputs: inputs.table, inputCount: layout.inputs.count, outputs: outputs.table,
          outputCount: layout.outputs.count, transport: transport, meters: meterMemory)
        unsafe withUnsafePointer(to: memory) { memory in
          let frames = min(SilentBuses.frameCount, max(layout.longestBlock, 1))
          unsafe process(Block(over: memory, frameCount: frames, frame: 0))
        }
      }
    }
    for (number, parameter) in parameters.enumerated() { set(number, to: parameter.initial, over: 0) }
    reset()
    for meter in 0..<meterCount { unsafe meterMemory[meter] = 0 }
  }
}
