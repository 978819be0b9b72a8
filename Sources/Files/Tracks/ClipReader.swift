// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import Glibc

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
  /// The end of the loop, which sounds on under the next turn; all of it, where it is short, so that nobody looks
  /// for it again and again.
  private var end: ChannelMemory?
  private var keepsLoop = false
  private lazy var staged = ChannelMemory(channelCount: sound.channelCount, frameCount: Self.stage)
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
    guard layout.count > 1 else { return }
    // A seek waits until the loop is read: what is expensive is read as it comes.
    let isShort = layout.loop.count <= Self.mostKept && !sound.isExpensive
    let first = isShort ? layout.loop.lowerBound : layout.loop.upperBound - layout.crossfade
    let memory = ChannelMemory(channelCount: self.channelCount, frameCount: layout.loop.upperBound - first)
    try lay(first..<layout.loop.upperBound, into: memory.channels)
    end = memory
    keepsLoop = isShort
  }

  func seek(to frame: Int) { position = min(max(frame, 0), length ?? .max) }

  func read(into channels: Channels, count: Int) throws(FileError) -> Int {
    let wanted = min(count, (length ?? .max) - position)
    var done = 0
    while done < wanted {
      let found = layout.find(position), target = channels.from(done)
      let run = min(found.run, wanted - done)
      guard run > 0 else { break }
      if let end, keepsLoop, layout.loop.contains(found.place), layout.loop.upperBound - found.place >= run {
        target.copy(end.channels.from(found.place - layout.loop.lowerBound), run)
      } else {
        try lay(found.place..<found.place + run, into: target)
      }
      if let fade = found.fade { cross(target, count: run, from: fade) }
      done += run
      position += run
    }
    return max(done, 0)
  }

  /// Adds the end of the turn before, at equal power: one part of a sound is not another.
  private func cross(_ target: Channels, count: Int, from fade: Int) {
    guard let end else { return }
    let tail = end.channels.from(end.frameCount - layout.crossfade + fade)
    for frame in 0..<count {
      let angle = Float.pi / 2 * (Float(fade + frame) + 0.5) / Float(layout.crossfade)
      let (up, down) = (sinf(angle), cosf(angle))
      for channel in 0..<channelCount {
        target[channel][frame] = target[channel][frame] * up + tail[channel][frame] * down
      }
    }
  }

  /// Reads frames of the sound, and makes of its channels those that are asked for.
  private func lay(_ range: Range<Int>, into target: Channels) throws(FileError) {
    if sound.position != range.lowerBound { try sound.seek(to: range.lowerBound) }
    let isAlike = sound.channelCount == channelCount
    var done = 0
    while done < range.count {
      let run = isAlike ? range.count : min(range.count - done, Self.stage)
      let got = try sound.read(into: isAlike ? target : staged.channels, count: run)
      guard got == run else { throw FileError(.truncated, path, "ends before its announced length") }
      if !isAlike { target.from(done).mix(staged.channels, run) }
      done += run
    }
  }
}
