// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

/// What clips are cut from: a file, sound in memory, or a composition.
package enum ClipSound: Sendable {
  /// A file that ``AudioFile`` reads.
  case file(String)
  /// Such a file, whose bytes are in memory.
  case bytes(MemoryFile)
  /// Frames that lie channel beside channel, at the rate of the engine.
  case memory(KeptSound)
  /// The sum of a composition's tracks, made as it is read.
  case composition(CompositionSound)

  /// What errors name.
  package var path: String {
    switch self {
    case .file(let path): path
    case .bytes: MemoryFile.name
    case .memory: "a buffer"
    case .composition: "a composition"
    }
  }

  /// The files that are read.
  package var paths: [String] {
    switch self {
    case .file, .bytes, .memory: [path]
    case .composition(let sound): sound.paths
    }
  }

  /// The losses of a composition's files that have not been reported yet.
  package func takeLosses() -> [FileError] {
    switch self {
    case .file, .bytes, .memory: []
    case .composition(let sound): sound.takeLosses()
    }
  }

  /// Opens it for a player.
  ///
  /// - Parameters:
  ///   - rate: frames a second of the engine.
  ///   - isOffline: whether nobody listens meanwhile, so that rates are changed as well as can be.
  /// - Throws: ``FileError``.
  package func open(at rate: Double, isOffline: Bool) throws(FileError) -> sending OpenSound {
    try open(sampleRate: Int(rate.rounded()), quality: isOffline ? .best : .medium)
  }

  /// Opens it, at a rate.
  ///
  /// - Throws: ``FileError``.
  package func open(
    sampleRate: Int, quality: ResamplingQuality
  ) throws(FileError) -> sending OpenSound {
    switch self {
    case .file(let path):
      return OpenSound(try ConvertingReader(path, sampleRate: sampleRate, quality: quality))
    case .bytes(let file):
      do throws(FileError) {
        return OpenSound(try ConvertingReader(file.place, sampleRate: sampleRate, quality: quality))
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
  /// Its length and its loop, in frames at the rate that it was opened at.
  package let extent: SoundExtent

  /// A sound that plays once.
  init(_ reader: any SoundReader) {
    self.reader = reader
    extent = SoundExtent(
      length: reader.length ?? 0, sampleLoop: (reader as? ConvertingReader)?.sampleLoop)
  }

  /// How many channels it has.
  package var channelCount: Int { reader.channelCount }
}

/// How many frames a sound has, and which of them a sampler would loop.
package struct SoundExtent: Sendable {
  package let length: Int, sampleLoop: Range<Int>?

  package init(length: Int, sampleLoop: Range<Int>? = nil) {
    (self.length, self.sampleLoop) = (length, sampleLoop)
  }
}

/// Sound in memory, which all that play it share.
package struct KeptSound: Sendable, Equatable {
  let channels: [[Float]]
  /// How many frames there are.
  package let frameCount: Int

  /// Keeps channels of equal length, brought from one rate to another.
  ///
  /// - Returns: nil where there is no sound, or the rates are further apart than a factor of 256.
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
