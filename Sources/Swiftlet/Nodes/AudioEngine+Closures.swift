// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import SwiftletGraph
public import SwiftletSignal

extension AudioEngine {
  /// Adds a sound source: a closure that fills every channel of `block.output()`.
  ///
  /// The closure runs on the audio thread, or on the thread that calls `render`: it must not allocate, lock or wait.
  /// Views of the block check their bounds.
  ///
  /// - Throws: ``EngineError/graph(_:)``.
  public func attachSource(
    channels: Int = 2, name: String? = nil, _ body: sending @escaping (Block) -> Void
  ) throws(EngineError) -> AudioNode {
    try attachClosure([], [.audio(channels: channels)], name, "source", ClosureProcessor(body))
  }

  /// Adds a sound source with a state of its own, which only the closure may touch.
  ///
  /// ```swift
  /// let sine = try engine.attachSource(state: Oscillator()) { state, block in
  ///   for frame in 0..<block.frameCount { block.output()[0][frame] = state.next() }
  /// }
  /// ```
  ///
  /// - Throws: ``EngineError/graph(_:)``.
  public func attachSource<State>(
    channels: Int = 2, state: sending State, name: String? = nil,
    _ body: sending @escaping (inout State, Block) -> Void
  ) throws(EngineError) -> AudioNode {
    try attachClosure(
      [], [.audio(channels: channels)], name, "source", StatefulProcessor(state, body))
  }

  /// Adds a sound sink: a closure that reads `block.input()`, as ``attachSource(channels:name:_:)`` fills the output.
  ///
  /// - Throws: ``EngineError/graph(_:)``.
  public func attachSink(
    channels: Int = 2, name: String? = nil, _ body: sending @escaping (Block) -> Void
  ) throws(EngineError) -> AudioNode {
    try attachClosure([.audio(channels: channels)], [], name, "sink", ClosureProcessor(body))
  }

  private func attachClosure(
    _ inputs: [BusFormat], _ outputs: [BusFormat], _ name: String?, _ base: String,
    _ processor: Processor
  ) throws(EngineError) -> AudioNode {
    try add(
      NewNode(name ?? base, .processor, inputs, outputs, .closure(processor)), isNamed: name != nil)
  }
}
