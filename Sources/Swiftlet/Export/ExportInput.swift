// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import SwiftletFiles
internal import SwiftletGraph
internal import SwiftletSignal

/// A sound file that is the input of an input node.
// @unchecked: one thread opens it, and then hands it to the thread that renders.
final class ExportInput: @unchecked Sendable {
  /// The node.
  let node: AudioNode
  /// The path of the file.
  let path: String
  /// The length of the file in frames at the engine's rate.
  let length: Int
  private let reader: ConvertingReader
  private let isSpread: Bool, isMean: Bool
  private var block: [[Float]] = []

  /// Opens the file.
  ///
  /// - Throws: ``ExportError``: the file cannot be read, or its channels do not fit the node.
  init(_ path: String, for node: AudioNode) throws(ExportError) {
    guard let known = node.engine.graph.node(node.id), case .input = known.role,
      case .audio(let channels)? = known.outputs.first
    else { throw .notAnInput(node.name) }
    let rate = Int(node.engine.sampleRate.rounded())
    reader = try exportingFile { () throws(FileError) in
      try ConvertingReader(path, sampleRate: rate, quality: .best)
    }
    guard reader.info.frameCount > 0 else { throw .file(.empty(path)) }
    guard reader.channelCount == channels || reader.channelCount == 1 || channels == 1 else {
      throw .inputChannels(path: path, has: reader.channelCount, node: node.name, takes: channels)
    }
    self.node = node
    self.path = path
    length = reader.frameCount
    isSpread = reader.channelCount == 1
    isMean = channels == 1 && reader.channelCount > 1
  }

  /// Reads the next block; after the end, silence.
  func read(_ count: Int) throws(FileError) {
    block = try reader.read(count)
    guard isMean, let first = block.first else { return }
    let share = 1 / Float(block.count)
    block = [
      first.indices.map { frame in
        block.reduce(Float(0)) { $0 + ($1.indices.contains(frame) ? $1[frame] : 0) } * share
      }
    ]
  }

  /// Copies a channel of the block to `samples`.
  func fill(_ channel: Int, _ samples: MutableSamples) {
    let source = isSpread ? 0 : channel
    let given = block.indices.contains(source) ? block[source] : []
    for frame in 0..<samples.count { samples[frame] = frame < given.count ? given[frame] : 0 }
  }
}
