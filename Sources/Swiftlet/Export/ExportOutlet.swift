// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import SwiftletFiles
internal import SwiftletGraph
internal import SwiftletSignal
internal import Synchronization

/// The sound of one bus on its way into files: as it left its source, so without what latency puts before it.
///
/// One thread uses an outlet.
final class ExportOutlet {
  let node: AudioNode
  let bus: Bus
  let channelCount: Int
  /// How many frames are still to be left out, and then to be kept.
  private var skipping = 0, wanted = 0
  /// How late the sound is that is taken.
  private var latency = 0
  /// Whether the next frames come from elsewhere than those before them.
  private var mustJoin = false
  private(set) var written = 0
  private let writing: ExportWriting
  /// What listens to the bus; nil for a playback node, which hands its sound over.
  private var tap: (id: TapID, sink: TapSink)?

  /// An outlet for a bus of a node.
  ///
  /// - Throws: ``ExportError/noSound(_:)``.
  init(_ node: AudioNode, bus: Bus) throws(ExportError) {
    guard let (format, isWayOut) = node.engine.exportedBus(bus, of: node), case .audio(let count) = format
    else {
      throw .noSound(node.name)
    }
    (self.node, self.bus, channelCount) = (node, bus, count)
    let room = node.engine.longestBlock
    writing = ExportWriting(channelCount: count, longestBlock: room)
    guard !isWayOut else { return }
    do throws(EngineError) {
      tap = try node.engine.addTap(.node(node, bus: bus), capacity: 2 * room)
    } catch {
      throw .engine(error)
    }
  }

  /// Measures loudness and true peak, too.
  func measure() { writing.measure(sampleRate: node.engine.sampleRate) }

  /// The files that the sound goes to, made by whoever finishes them.
  var writers: [AudioFileWriter] {
    get { writing.writers }
    set { writing.writers = newValue }
  }

  /// Says which frames of the source are written, counted from where the engine stands. The graph is prepared.
  func expect(_ frames: Range<Int>) {
    latency = currentLatency
    skipping = frames.lowerBound + latency
    wanted = frames.count
    tap?.sink.record()
  }

  private var currentLatency: Int { tap.map { node.engine.latency(of: $0.id) } ?? node.arrivalLatency }

  /// Whether it waits for frames.
  var isOpen: Bool { written < wanted }

  /// Keeps a channel of the block that was rendered.
  func take(_ channel: Int, _ samples: Samples) { writing.take(channel, samples) }

  /// Has the block that was rendered written. The next one is rendered with the latency that the graph has by now.
  func write(_ count: Int) throws(FileError) {
    guard isOpen else { return }
    if let tap {
      try tap.sink.drain { piece throws(FileError) in
        if piece.isLost { return try passSilence(piece.count) }
        for channel in 0..<channelCount { take(channel, piece[channel]) }
        try pass(piece.count)
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

  /// Keeps the file aligned where the latency has changed: leaves frames out if sound comes later from now on, and puts
  /// silence in if it comes earlier.
  private func move(by later: Int) throws(FileError) {
    let missing = max(-later - skipping, 0)
    skipping = max(skipping + later, 0)
    mustJoin = written > 0
    try passSilence(missing)
  }

  /// Passes frames of silence, in blocks that there is memory for.
  private func passSilence(_ count: Int) throws(FileError) {
    var left = count
    while left > 0, isOpen {
      let part = min(left, node.engine.longestBlock)
      writing.silence(part)
      try pass(part)
      left -= part
      mustJoin = written > 0
    }
  }

  /// Waits until all that was rendered is written.
  func settle() { writing.settle() }

  /// Tells what writing has met.
  ///
  /// - Throws: ``FileError``.
  func check() throws(FileError) { try writing.check() }

  /// What was measured, once all is written.
  var levels: ExportLevels { writing.levels }

  /// Listens no longer.
  func leave() {
    guard let tap else { return }
    try? node.engine.core.withLock { core throws(EngineError) in try core.remove(tap.id) }
    self.tap = nil
  }
}

extension AudioEngine {
  /// The bus whose sound is exported: what a playback node hears, or another node gives.
  func exportedBus(_ bus: Bus, of node: AudioNode) -> (format: BusFormat, isWayOut: Bool)? {
    guard let known = graph.node(node.id) else { return nil }
    let isWayOut = if case .output = known.role { true } else { false }
    let buses = isWayOut ? known.inputs : known.outputs
    return buses.indices.contains(bus.index) ? (buses[bus.index], isWayOut) : nil
  }
}
