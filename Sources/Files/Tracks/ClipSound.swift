// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

/// The sound of a clip: a file, sound in memory, or a composition.
package enum ClipSound: Sendable {
  /// A file that ``AudioFile`` reads.
  case file(String)
  /// Such a file whose bytes are in memory.
  case bytes(MemoryFile)
  /// Frames in memory, one array per channel, at the engine's rate.
  case memory(KeptSound)
  /// The sum of a composition's tracks, computed as it is read.
  case composition(CompositionSound)

  /// The name of the sound in errors.
  package var path: String {
    switch self {
    case .file(let path): path
    case .bytes: MemoryFile.name
    case .memory: "a buffer"
    case .composition: "a composition"
    }
  }

  /// The paths of the files that are read.
  package var paths: [String] {
    switch self {
    case .file, .bytes, .memory: [path]
    case .composition(let sound): sound.paths
    }
  }

  /// Returns the losses of a composition's files that have not been reported yet.
  package func takeLosses() -> [FileError] {
    switch self {
    case .file, .bytes, .memory: []
    case .composition(let sound): sound.takeLosses()
    }
  }

  /// Opens the sound for a player.
  ///
  /// - Parameters:
  ///   - rate: the engine's rate, in frames per second.
  ///   - isOffline: whether the sound is rendered offline; rates are then converted at the best quality.
  /// - Throws: ``FileError`` if the sound cannot be opened.
  package func open(at rate: Double, isOffline: Bool) throws(FileError) -> sending OpenSound {
    try open(sampleRate: Int(rate.rounded()), quality: isOffline ? .best : .medium)
  }

  /// Opens the sound at a rate.
  ///
  /// - Throws: ``FileError`` if the sound cannot be opened.
  package func open(
    sampleRate: Int, quality: ResamplingQuality
  ) throws(FileError) -> sending OpenSound {
    switch self {
    case .file(let path):
      return OpenSound(try ConvertingReader(path, sampleRate: sampleRate, quality: quality))
    case .bytes(let file):
      do throws(FileError) {
        return OpenSound(try ConvertingReader(file.path, sampleRate: sampleRate, quality: quality))
      } catch {
        throw FileError(error.kind, MemoryFile.name, error.detail)
      }
    case .memory(let sound): return OpenSound(KeptReader(sound, sampleRate: sampleRate))
    case .composition(let sound): return OpenSound(try sound.open(sampleRate: sampleRate))
    }
  }
}

/// A sound that is open for reading.
package struct OpenSound {
  let reader: any SoundReader
  /// Its length and its loop, in frames at the reading rate.
  package let extent: SoundExtent

  /// Creates an open sound that plays once.
  init(_ reader: any SoundReader) {
    self.reader = reader
    extent = SoundExtent(
      length: reader.length ?? 0, sampleLoop: (reader as? ConvertingReader)?.sampleLoop)
  }

  /// The number of channels.
  package var channelCount: Int { reader.channelCount }
}

/// The length of a sound, and the sampler loop that its file defines, in frames.
package struct SoundExtent: Sendable {
  package let length: Int, sampleLoop: Range<Int>?

  package init(length: Int, sampleLoop: Range<Int>? = nil) {
    (self.length, self.sampleLoop) = (length, sampleLoop)
  }
}

/// Sound in memory, shared by all clips that play it.
package struct KeptSound: Sendable, Equatable {
  let channels: [[Float]]
  /// The number of frames.
  package let frameCount: Int

  /// Stores channels, converted from one rate to another. The first channel determines the length: longer channels are
  /// cut, and shorter ones are padded with silence.
  ///
  /// - Returns: nil if there are no frames, or the rates differ by more than a factor of 256.
  package init?(_ channels: [[Float]], from own: Double, to rate: Double) {
    guard let count = channels.first?.count, count > 0, own >= 1, rate >= 1 else { return nil }
    guard own != rate else {
      self.channels = channels.map {
        Array($0.prefix(count)) + [Float](repeating: 0, count: max(count - $0.count, 0))
      }
      frameCount = count
      return
    }
    frameCount = Int((Double(count) * rate / own).rounded())
    guard frameCount > 0 else { return nil }
    var made: [[Float]] = []
    for channel in channels {
      let resampler = Resampler(channelCount: 1, ratio: rate / own, quality: .best)
      guard var samples = resampler?.push(channel, count: min(count, channel.count), isLast: true) else {
        return nil
      }
      samples.append(contentsOf: repeatElement(0, count: max(frameCount - samples.count, 0)))
      made.append(Array(samples.prefix(frameCount)))
    }
    self.channels = made
  }
}

/// Reads sound in memory.
final class KeptReader: SoundReader {
  let path = "a buffer"
  let sampleRate: Int
  var channelCount: Int { sound.channels.count }
  var length: Int? { frameCount }
  var frameCount: Int { sound.frameCount }
  private(set) var position = 0
  private let sound: KeptSound

  init(_ sound: KeptSound, sampleRate: Int) {
    self.sound = sound
    self.sampleRate = sampleRate
  }

  func seek(to frame: Int) { position = min(max(frame, 0), sound.frameCount) }

  func read(into channels: Channels, count: Int) -> Int {
    let run = min(count, sound.frameCount - position)
    for (channel, samples) in sound.channels.enumerated() {
      for frame in 0..<run { channels[channel][frame] = samples[position + frame] }
    }
    position += run
    return run
  }
}
