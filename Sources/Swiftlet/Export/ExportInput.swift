// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import SwiftletFiles
internal import SwiftletGraph
internal import SwiftletSignal

/// A sound file that a capture node hears.
// @unchecked: it is opened, and then handed to the one thread that renders.
final class ExportInput: @unchecked Sendable {
  /// The node.
  let node: AudioNode
  /// Where the file is.
  let path: String
  /// How many frames it has at the engine's rate.
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
    else { throw .notAWayIn(node.name) }
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

  /// Reads the next block; behind the end there is silence.
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

  /// Hands out a channel of the block.
  func fill(_ channel: Int, _ samples: MutableSamples) {
    let source = isSpread ? 0 : channel
    let given = block.indices.contains(source) ? block[source] : []
    for frame in 0..<samples.count { samples[frame] = frame < given.count ? given[frame] : 0 }
  }
}
