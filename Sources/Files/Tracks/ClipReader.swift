// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import Glibc
internal import SwiftletGraph

/// A clip of a sound, read at a rate, with as many channels as are asked for.
///
/// Channels become others as on a wire: one is copied to all, many become their mean in one.
final class ClipReader: SoundReader {
  var path: String { sound.path }
  var sampleRate: Int { sound.sampleRate }
  let channelCount: Int
  var length: Int? { layout.length }
  private(set) var position = 0

  private let sound: any SoundReader
  private let layout: ClipLayout
  /// The loop, where it is short, so that nobody looks for it again and again; channel beside channel.
  private var kept: [Float] = []
  /// The last frames of the loop, which sound on under the next turn.
  private var tail: [Float] = []
  private var staged: [Float] = []
  private static let stage = 4096
  /// How many frames of a loop are kept.
  private static let mostKept = 1 << 19

  /// A clip from its beginning.
  ///
  /// - Parameters:
  ///   - sound: what it is cut from, at the rate that is read at.
  ///   - layout: which frames it plays; none beyond the sound's end.
  ///   - channelCount: how many channels it is to have, 1 or more.
  /// - Throws: as `sound`.
  init(_ sound: any SoundReader, _ layout: ClipLayout, channelCount: Int) throws(FileError) {
    self.sound = sound
    self.layout = layout
    self.channelCount = max(channelCount, 1)
    staged = [Float](repeating: 0, count: Self.stage * sound.channelCount)
    guard layout.count > 1 else { return }
    if layout.loop.count <= Self.mostKept {
      kept = try frames(layout.loop)
      tail = Array(kept.suffix(layout.crossfade * self.channelCount))
    } else {
      tail = try frames(layout.loop.upperBound - layout.crossfade..<layout.loop.upperBound)
    }
  }

  private func frames(_ range: Range<Int>) throws(FileError) -> [Float] {
    var frames = [Float](repeating: 0, count: range.count * channelCount)
    try frames.withUnsafeMutableBufferPointer { frames throws(FileError) in
      guard let base = frames.baseAddress else { return }
      try lay(range, at: base)
    }
    return frames
  }

  func seek(to frame: Int) { position = min(max(frame, 0), length ?? .max) }

  func readInterleaved(into buffer: UnsafeMutablePointer<Float>, count: Int) throws(FileError) -> Int {
    let wanted = min(count, (length ?? .max) - position)
    var done = 0
    while done < wanted {
      let found = layout.find(position), target = buffer + done * channelCount
      let run = min(found.run, wanted - done)
      guard run > 0 else { break }
      let range = found.place..<found.place + run
      let first = found.place - layout.loop.lowerBound
      if first >= 0, (first + run) * channelCount <= kept.count {
        let start = first * channelCount
        for sample in 0..<run * channelCount { target[sample] = kept[start + sample] }
      } else {
        try lay(range, at: target)
      }
      if let fade = found.fade { cross(target, count: run, from: fade) }
      done += run
      position += run
    }
    return max(done, 0)
  }

  /// Adds the end of the turn before, at equal power: one part of a sound is not another.
  private func cross(_ target: UnsafeMutablePointer<Float>, count: Int, from fade: Int) {
    for frame in 0..<count {
      let angle = Float.pi / 2 * (Float(fade + frame) + 0.5) / Float(layout.crossfade)
      let (up, down) = (sinf(angle), cosf(angle))
      for channel in 0..<channelCount {
        let before = tail[(fade + frame) * channelCount + channel]
        let place = frame * channelCount + channel
        target[place] = target[place] * up + before * down
      }
    }
  }

  /// Lays frames of the sound side by side, in the channels that are asked for.
  private func lay(_ range: Range<Int>, at target: UnsafeMutablePointer<Float>) throws(FileError) {
    if sound.position != range.lowerBound { try sound.seek(to: range.lowerBound) }
    var done = 0
    while done < range.count {
      let run = min(range.count - done, Self.stage)
      let got = try staged.withUnsafeMutableBufferPointer { staged throws(FileError) in
        try staged.baseAddress.map { base throws(FileError) in
          try sound.readInterleaved(into: base, count: run)
        } ?? 0
      }
      guard got == run else { throw FileError(.truncated, path, "ends before its announced length") }
      spread(run, to: target + done * channelCount)
      done += run
    }
  }

  private func spread(_ count: Int, to target: UnsafeMutablePointer<Float>) {
    let width = sound.channelCount
    switch ChannelRule(from: width, to: channelCount) {
    case .inOrder:
      for frame in 0..<count {
        for channel in 0..<channelCount {
          target[frame * channelCount + channel] = channel < width ? staged[frame * width + channel] : 0
        }
      }
    case .copied:
      for frame in 0..<count {
        for channel in 0..<channelCount { target[frame * channelCount + channel] = staged[frame] }
      }
    case .mean:
      for frame in 0..<count {
        var sum: Float = 0
        for channel in 0..<width { sum += staged[frame * width + channel] }
        target[frame] = sum / Float(width)
      }
    }
  }
}
