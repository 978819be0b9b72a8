// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import Glibc

/// Reads a clip of a sound with a given channel count.
///
/// Channels are converted as on a wire: one channel is copied to all, and several become their mean in one.
final class ClipReader: SoundReader {
  var path: String { sound.path }
  var sampleRate: Int { sound.sampleRate }
  let channelCount: Int
  var length: Int? { layout.length }
  private(set) var position = 0

  private let sound: any SoundReader
  private let layout: ClipLayout
  /// The end of the loop, which crossfades into the next repetition. For a short loop, all of it, so that it is not
  /// read again each time.
  private var end: ChannelMemory?
  private var keepsLoop = false
  private lazy var staged = ChannelMemory(channelCount: sound.channelCount, frameCount: Self.stage)
  private static let stage = 4096
  /// The maximum length of a loop that is kept in memory, in frames.
  private static let mostKept = 1 << 19

  /// Creates a reader at the clip's beginning.
  ///
  /// - Parameters:
  ///   - sound: the sound of the clip, at the reading rate.
  ///   - layout: the frames that the clip plays; none beyond the sound's end.
  ///   - channelCount: the channel count, 1 or more.
  /// - Throws: the errors of `sound`.
  init(_ sound: any SoundReader, _ layout: ClipLayout, channelCount: Int) throws(FileError) {
    self.sound = sound
    self.layout = layout
    self.channelCount = max(channelCount, 1)
    guard layout.count > 1 else { return }
    // Expensive sounds are read as needed, since a seek would have to wait for the whole loop.
    let isShort = layout.loop.count <= Self.mostKept && !sound.isExpensive
    let first = isShort ? layout.loop.lowerBound : layout.loop.upperBound - layout.crossfade
    let memory = ChannelMemory(channelCount: self.channelCount, frameCount: layout.loop.upperBound - first)
    try readConverted(first..<layout.loop.upperBound, into: memory.channels)
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
      if let end, keepsLoop, layout.loop.contains(found.soundFrame),
        layout.loop.upperBound - found.soundFrame >= run
      {
        target.copy(end.channels.from(found.soundFrame - layout.loop.lowerBound), run)
      } else {
        try readConverted(found.soundFrame..<found.soundFrame + run, into: target)
      }
      if let fade = found.fade { cross(target, count: run, from: fade) }
      done += run
      position += run
    }
    return max(done, 0)
  }

  /// Adds the end of the previous repetition with an equal-power crossfade, since the two parts are uncorrelated.
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

  /// Reads frames of the sound and converts their channels.
  private func readConverted(_ range: Range<Int>, into target: Channels) throws(FileError) {
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
