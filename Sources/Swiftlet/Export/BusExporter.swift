// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import SwiftletFiles
internal import SwiftletGraph
internal import SwiftletSignal
internal import Synchronization

/// The path of one bus's sound into files, without the graph's latency.
///
/// One thread uses an exporter.
final class BusExporter {
  let node: AudioNode
  let bus: Bus
  let channelCount: Int
  /// The number of frames that are still to be dropped, and the number that are to be kept.
  private var skipping = 0, wanted = 0
  /// The latency of the sound in frames.
  private var latency = 0
  /// Whether the next frames do not continue those before them.
  private var mustJoin = false
  private(set) var written = 0
  private let writing: ExportWriting
  /// The tap of the bus; nil for an output node, whose sound `render` passes on.
  private var tap: (id: TapID, sink: TapSink)?

  /// Creates an exporter for a bus of a node.
  ///
  /// - Throws: ``ExportError/noSound(_:)``.
  init(_ node: AudioNode, bus: Bus) throws(ExportError) {
    guard let (format, isOutputNode) = node.engine.exportedBus(bus, of: node), case .audio(let count) = format
    else {
      throw .noSound(node.name)
    }
    (self.node, self.bus, channelCount) = (node, bus, count)
    let capacity = node.engine.longestBlock
    writing = ExportWriting(channelCount: count, longestBlock: capacity)
    guard !isOutputNode else { return }
    do throws(EngineError) {
      tap = try node.engine.addTap(.node(node, bus: bus), capacity: 2 * capacity)
    } catch {
      throw .engine(error)
    }
  }

  /// Also measures loudness and true peak.
  func measure() { writing.measure(sampleRate: node.engine.sampleRate) }

  /// The files that the sound is written to. The caller creates and finishes them.
  var writers: [AudioFileWriter] {
    get { writing.writers }
    set { writing.writers = newValue }
  }

  /// Sets the range of frames that are written, counted from the engine's current position. The graph must be
  /// prepared.
  func expect(_ frames: Range<Int>) {
    latency = currentLatency
    skipping = frames.lowerBound + latency
    wanted = frames.count
    tap?.sink.record()
  }

  private var currentLatency: Int { tap.map { node.engine.latency(of: $0.id) } ?? node.arrivalLatency }

  /// Whether the exporter needs more frames.
  var isOpen: Bool { written < wanted }

  /// Copies a channel of the rendered block.
  func take(_ channel: Int, _ samples: Samples) { writing.take(channel, samples) }

  /// Writes the rendered block. The latency may change with each block.
  func write(_ count: Int) throws(FileError) {
    guard isOpen else { return }
    if let tap {
      try tap.sink.drain { run throws(FileError) in
        if run.isLost { return try deliverSilence(run.count) }
        for channel in 0..<channelCount { take(channel, run[channel]) }
        try pass(run.count)
      }
    } else {
      try pass(count)
    }
    let later = currentLatency - latency
    latency += later
    if later != 0 { try move(by: later) }
  }

  private func pass(_ count: Int) throws(FileError) {
    let skipped = min(skipping, count)
    skipping -= skipped
    let kept = min(count - skipped, wanted - written)
    guard kept > 0 else { return }
    if mustJoin {
      writing.join(at: skipped, over: min(kept, Int(node.engine.sampleRate / 200)))
      mustJoin = false
    }
    try writing.keep(skipped..<skipped + kept)
    written += kept
  }

  /// Keeps the file aligned after a change of latency: drops frames if the latency has increased, and inserts silence
  /// if it has decreased.
  private func move(by later: Int) throws(FileError) {
    let missing = max(-later - skipping, 0)
    skipping = max(skipping + later, 0)
    mustJoin = written > 0
    try deliverSilence(missing)
  }

  /// Passes silence, in parts of at most one block.
  private func deliverSilence(_ count: Int) throws(FileError) {
    var left = count
    while left > 0, isOpen {
      let part = min(left, node.engine.longestBlock)
      writing.silence(part)
      try pass(part)
      left -= part
      mustJoin = written > 0
    }
  }

  /// Waits until all rendered frames are written.
  func settle() { writing.settle() }

  /// Throws the error that occurred while writing, if there was one.
  ///
  /// - Throws: ``FileError``.
  func check() throws(FileError) { try writing.check() }

  /// The measured levels, once all is written.
  var levels: ExportLevels { writing.levels }

  /// Removes the tap.
  func leave() {
    guard let tap else { return }
    try? node.engine.core.withLock { core throws(EngineError) in try core.remove(tap.id) }
    self.tap = nil
  }
}

extension AudioEngine {
  /// Returns the bus that is exported: the input of an output node, or the output of another node.
  func exportedBus(_ bus: Bus, of node: AudioNode) -> (format: BusFormat, isOutputNode: Bool)? {
    guard let known = graph.node(node.id) else { return nil }
    let isOutputNode = if case .output = known.role { true } else { false }
    let buses = isOutputNode ? known.inputs : known.outputs
    return buses.indices.contains(bus.index) ? (buses[bus.index], isOutputNode) : nil
  }
}
