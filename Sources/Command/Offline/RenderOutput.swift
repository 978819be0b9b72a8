// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import Swiftlet
internal import SwiftletManifest

/// A file that a playback node's sound goes to.
final class RenderOutput {
  /// The node.
  let node: AudioNode
  /// How late its sound is, in frames: so many are dropped at the beginning.
  let latency: Int
  private let writer: AudioFileWriter
  private var block: [[Float]]
  private var dropped = 0
  private var written = 0
  private var peak: Float = 0
  private var isClosed = false
  /// Whether what comes now is behind the end: it is left out.
  var isWhole = false

  /// Makes the file.
  ///
  /// - Throws: ``FileError``.
  init(_ file: NodeFile, session: Session, options: RenderCommand) throws {
    let channels =
      session.manifest.nodes.first { $0.name == file.node }?.inputs.first?.format.channelCount ?? 2
    guard let node = session.node(file.node) else {
      throw Failure(.badCommandLine, "--output: there is no playback node '\(Clean.line(file.node))'")
    }
    self.node = node
    latency = node.arrivalLatency
    block = Array(repeating: [], count: channels)
    writer = try AudioFileWriter(
      file.path, format: options.outputFormat(file.path), sampleRate: Int(session.engine.sampleRate),
      channelCount: channels, overwrites: options.overwrite, appearsWhole: true)
  }

  /// Keeps a channel of the block that was rendered.
  func take(_ channel: Int, _ samples: Samples) {
    guard block.indices.contains(channel) else { return }
    block[channel].removeAll(keepingCapacity: true)
    block[channel].append(contentsOf: UnsafeBufferPointer(start: samples.unsafeBase, count: samples.count))
    for sample in block[channel] where abs(sample) > peak { peak = abs(sample) }
  }

  /// Writes the block, but for what latency put before it and what lies behind `end` frames.
  func write(_ count: Int, before end: Int) throws {
    guard !isWhole else { return }
    let skipped = min(latency - dropped, count)
    dropped += skipped
    let kept = min(count - skipped, end - written)
    guard kept > 0 else { return }
    written += kept
    try writer.write(kept == count ? block : block.map { Array($0[skipped..<(skipped + kept)]) })
  }

  /// Finishes the file.
  func close() throws {
    try writer.close()
    isClosed = true
  }

  /// Removes a file that is not whole.
  func discard() {
    if !isClosed { writer.discard() }
    isClosed = true
  }

  /// What there is to tell of the file.
  var report: TakeLine {
    TakeLine(
      path: writer.path, frameCount: written, sampleRate: writer.sampleRate, peak: LevelHistory.decibels(peak)
    )
  }
}
