// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import SwiftletDisk

/// Encodes Opus through libsndfile, with a continuation before the beginning and after the end that decoders skip.
///
/// Without it, the first 50 ms and the last 8 ms are inexact: the codec begins from silence and needs some packets to
/// adapt, and libsndfile 1.2 does not flush the codec's look-ahead.
final class OpusEncoder: FrameEncoder {
  private let sink: FileSink
  private let encoder: SndFileEncoder
  private let channelCount: Int
  /// The number of frames of 48 kHz for each frame of the file's rate; Opus counts frames of 48 kHz.
  private let framesPerFrame: Int
  /// The continuation's lengths in frames: 100 ms and 48 ms. And the number of frames from which it is predicted.
  private let lead: Int, trail: Int, context: Int
  /// The first frames until there are enough for the prediction, then the last ones; interleaved.
  private var kept: [Float] = []
  private var frameCount = 0

  init(
    sink: FileSink, format: RecordingFormat, rate: Int, channelCount: Int, origin: TakeOrigin?,
    comment: String?, tags: FileTags
  ) throws(FileError) {
    (self.sink, self.channelCount) = (sink, channelCount)
    framesPerFrame = max(48_000 / rate, 1)
    (lead, trail, context) = (rate / 10, rate * 48 / 1000, rate / 12)
    encoder = try SndFileEncoder(
      sink: sink, format: format, rate: rate, channelCount: channelCount, origin: origin, comment: comment,
      tags: tags)
  }

  func write(_ samples: [Float], count: Int) throws(FileError) {
    let sound = samples.prefix(count * channelCount).map { $0.isNaN ? 0 : min(max($0, -1), 1) }
    let hasBegun = frameCount >= context
    frameCount += count
    kept += sound
    if hasBegun {
      try encoder.write(sound, count: count)
    } else if frameCount >= context {
      try begin()
    }
    let surplus = kept.count - context * channelCount
    if frameCount >= context, surplus > 0 { kept.removeFirst(surplus) }
  }

  /// Writes the continuation before the beginning, and the frames that were kept.
  private func begin() throws(FileError) {
    let backwards = channels(Array(kept.prefix(context * channelCount))).map { Array($0.reversed()) }
    try write(backwards.map { Array(Extrapolation(of: $0).continued(by: lead).reversed()) })
    try encoder.write(kept, count: kept.count / channelCount)
  }

  private func channels(_ samples: [Float]) -> [[Float]] {
    (0..<channelCount).map { channel in
      stride(from: channel, to: samples.count, by: channelCount).map { samples[$0] }
    }
  }

  /// Writes channels of equal length.
  private func write(_ channels: [[Float]]) throws(FileError) {
    let count = channels.first?.count ?? 0
    var samples: [Float] = []
    samples.reserveCapacity(count * channelCount)
    for frame in 0..<count { for channel in channels { samples.append(channel[frame]) } }
    try encoder.write(samples, count: count)
  }

  func updateHeader() throws(FileError) { try encoder.updateHeader() }

  func finish() throws(FileError) {
    guard frameCount > 0 else { return try encoder.finish() }
    if frameCount < context { try begin() }
    try write(channels(kept).map { Extrapolation(of: $0).continued(by: trail) })
    try encoder.finish()
    do throws(DiskError) {
      try OpusTrim.apply(
        to: sink, skipping: lead * framesPerFrame, length: frameCount * framesPerFrame)
    } catch {
      throw .making(sink.path, error)
    }
  }

  func abandon() { encoder.abandon() }
}
