// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import SwiftletGraph
internal import SwiftletLV2
internal import Synchronization

extension AudioEngine {
  /// Returns a parameter's target value; nil if it was never set or the node no longer exists.
  func target(of number: Int, of node: NodeID) -> Float? {
    core.withLock { $0.lastRecord(of: node)?.values[number] }
  }

  /// Returns the present value of a parameter's lane, or without a lane its target value; nil if it was never set.
  func destination(of number: Int, of node: NodeID) -> Float? {
    core.withLock { core in
      core.laneValue(of: number, of: node) ?? core.lastRecord(of: node)?.values[number]
    }
  }

  /// Returns the present value of a parameter's lane, or without a lane the value that its glide has reached; nil if
  /// it was never set.
  func current(of number: Int, of node: NodeID) -> Float? {
    core.withLock { core in
      guard let record = core.lastRecord(of: node) else { return nil }
      return core.laneValue(of: number, of: node) ?? record.courses[number]?.value(at: core.frame)
        ?? record.values[number]
    }
  }

  /// Sends a value to the audio thread, or sets it directly on a processor that is not in a plan yet.
  func send(
    _ value: Float, to number: Int, of id: NodeID, over frames: Int, at frame: Int64?
  ) throws(EngineError) {
    try core.withLock { core throws(EngineError) in
      guard let record = core.record(of: id) else { throw .notAttached("the node") }
      if let new = core.staged[id] == nil ? core.newProcessors[id] : record.processor, frame == nil {
        // The processor is not heard yet, so the value need not glide.
        new.set(number, to: value, over: 0)
        core.records[id]?.set(value, to: number)
        core.staged[id]?.set(value, to: number)
      } else {
        try graphEdit { () throws(GraphError) in
          try core.controller.set(number, of: id, to: value, over: frames, at: frame)
        }
        let now = core.frame
        core.records[id]?.send(value, to: number, over: frames, at: frame, now: now)
        core.staged[id]?.send(value, to: number, over: frames, at: frame, now: now)
      }
    }
  }

  func load(_ preset: String, on node: AudioNode) throws(EngineError) {
    guard let info = node.info else { throw .unknownPreset(node: node.name, preset: preset, known: []) }
    guard info.origin == .builtIn else { return try loadPlugin(preset, on: node) }
    guard let found = info.presets.first(where: { $0.id == preset }) else {
      throw .unknownPreset(node: node.name, preset: preset, known: info.presets.map(\.id))
    }
    try send(found.values.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }, to: node)
  }

  /// Sets several parameters, each with its own smoothing.
  func send(_ values: [(number: Int, value: Float)], to node: AudioNode) throws(EngineError) {
    let infos = node.parameterInfos
    for (number, value) in values {
      let frames = infos.first { $0.number == number }?.glideFrames(at: sampleRate) ?? 0
      try send(value, to: number, of: node.id, over: -frames, at: nil)
    }
  }
}

extension AudioNode {
  /// Sets the target value of a parameter without throwing: see ``NodeParameter/value``.
  func setTarget(_ value: Float, of number: Int) {
    let parameters = engine.core.withLock { $0.lastRecord(of: id)?.parameters }
    guard let info = parameters?.first(where: { $0.number == number }) else { return }
    guard !value.isNaN else {
      return engine.broadcaster.send(.notANumber(node: name, parameter: info.symbol))
    }
    let used = clamped(value, to: info)
    do throws(EngineError) {
      try engine.send(used, to: number, of: id, over: -info.glideFrames(at: engine.sampleRate), at: nil)
    } catch {
      // The queue is full, or the node is detached: the latest value is sent as soon as there is room, or once an undo
      // brings the node back.
      engine.core.withLock { core in
        guard core.lastRecord(of: id) != nil else { return }
        core.records[id]?.values[number] = used
        core.detached.nodes[id]?.set(used, to: number)
        core.unsent[id, default: []].insert(number)
      }
    }
  }

  /// Returns the value clamped to the parameter's range, and reports a clamped value.
  func clamped(_ value: Float, to info: ParameterInfo) -> Float {
    let used = info.clamp(value)
    engine.broadcaster.reportClamped(info.symbol, of: name, from: value, to: used)
    return used
  }
}

extension ParameterInfo {
  /// Returns the value clamped to the range.
  func clamp(_ value: Float) -> Float { min(max(value, range.lowerBound), range.upperBound) }

  /// Returns the default duration of a change, in frames.
  func glideFrames(at sampleRate: Double) -> Int { Int(Double(glide) * sampleRate) }
}

extension EngineCore {
  /// The frame after the last rendered one.
  var frame: Int64 { controller.renderer.position.load(ordering: .acquiring) }

  /// Returns the record of a node that is attached, that an edit has made, or that an undo can bring back.
  func lastRecord(of node: NodeID) -> Record? { record(of: node) ?? detached.nodes[node] }

  /// Sends target values that did not fit into the audio thread's queue.
  mutating func sendUnsent() {
    guard !unsent.isEmpty else { return }
    for (node, numbers) in unsent {
      guard let record = records[node] else {
        if detached.nodes[node] == nil { unsent[node] = nil }
        continue
      }
      for number in numbers {
        let info = record.parameters.first { $0.number == number }
        let frames = -(info?.glideFrames(at: controller.renderer.sampleRate) ?? 0)
        guard let value = record.values[number],
          (try? controller.set(number, of: node, to: value, over: frames, at: nil)) != nil
        else { return }
        let now = frame
        records[node]?.send(value, to: number, over: frames, at: nil, now: now)
        unsent[node]?.remove(number)
      }
      unsent[node] = nil
    }
  }
}
