// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import Swiftlet
internal import SwiftletManifest

/// A file that a capture node hears.
struct RenderInput {
  /// The node.
  let node: AudioNode
  /// How many frames it has at the rate of the render.
  let length: Int
  private let reader: ConvertingReader
  private let isSpread: Bool
  private var block: [[Float]] = []

  /// Opens the file.
  ///
  /// - Throws: ``FileError``; a ``Failure`` where its channels do not fit the node.
  init(_ file: NodeFile, session: Session, rate: Int) throws {
    reader = try ConvertingReader(file.path, sampleRate: rate, quality: .best)
    length = reader.length ?? 0
    let channels =
      session.manifest.nodes.first { $0.name == file.node }?.outputs.first?.format.channelCount ?? 0
    guard let node = session.node(file.node), reader.channelCount == channels || reader.channelCount == 1
    else {
      throw Failure(
        .badInput,
        "'\(file.path)' has \(Digits.count(reader.channelCount, "channel")), and '\(file.node)' takes \(channels); "
          + "expected as many, or one")
    }
    self.node = node
    isSpread = reader.channelCount == 1
  }

  /// Reads the next block; behind the end there is silence.
  mutating func read(_ count: Int) throws { block = try reader.read(count) }

  /// Hands out a channel of the block.
  func fill(_ channel: Int, _ samples: MutableSamples) {
    let source = isSpread ? 0 : channel
    let given = block.indices.contains(source) ? block[source] : []
    for frame in 0..<samples.count { samples[frame] = frame < given.count ? given[frame] : 0 }
  }
}
