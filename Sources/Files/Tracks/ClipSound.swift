// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

/// What clips are cut from: a file, or sound in memory.
package enum ClipSound: Sendable {
  /// A file that ``AudioFileReader`` reads.
  case file(String)
  /// Frames that lie channel beside channel, at the rate of the engine.
  case memory(KeptSound)

  /// What errors name.
  package var path: String {
    switch self {
    case .file(let path): path
    case .memory: "a buffer"
    }
  }

  /// Opens it, at a rate.
  ///
  /// - Throws: ``FileError``.
  package func open(
    sampleRate: Int, quality: ResamplingQuality
  ) throws(FileError) -> sending OpenSound {
    switch self {
    case .file(let path):
      OpenSound(try ConvertingReader(path, sampleRate: sampleRate, quality: quality))
    case .memory(let sound): OpenSound(KeptReader(sound, sampleRate: sampleRate))
    }
  }
}

/// A sound that is open for reading.
package struct OpenSound {
  let reader: any SoundReader

  init(_ reader: any SoundReader) { self.reader = reader }

  /// How many frames it has, at the rate that it was opened at.
  package var length: Int { reader.length ?? 0 }
  /// How many channels it has.
  package var channelCount: Int { reader.channelCount }
}

/// Sound in memory, which all that play it share.
package struct KeptSound: Sendable, Equatable {
  let channelCount: Int
  let samples: [Float]
  /// How many frames there are.
  package var frameCount: Int { samples.count / channelCount }

  /// Keeps channels of equal length, brought from one rate to another.
  ///
  /// - Returns: nil where there is no sound, or the rates are further apart than a factor of 256.
  package init?(_ channels: [[Float]], from own: Double, to rate: Double) {
    guard let count = channels.first?.count, count > 0, own >= 1, rate >= 1 else { return nil }
    channelCount = channels.count
    var mixed = [Float](repeating: 0, count: count * channels.count)
    for (channel, samples) in channels.enumerated() {
      for (frame, sample) in samples.prefix(count).enumerated() {
        mixed[frame * channels.count + channel] = sample
      }
    }
    guard own != rate else {
      samples = mixed
      return
    }
    let resampler = Resampler(
      channelCount: channels.count, from: Int(own.rounded()), to: Int(rate.rounded()), quality: .best)
    let whole = Int((Double(count) * rate / own).rounded())
    guard let resampler, whole > 0, var made = resampler.push(mixed, count: count, isLast: true) else {
      return nil
    }
    let wanted = whole * channels.count
    made.append(contentsOf: repeatElement(0, count: max(wanted - made.count, 0)))
    samples = made.count == wanted ? made : Array(made.prefix(wanted))
  }
}

/// Reads sound in memory.
final class KeptReader: SoundReader {
  let path = "a buffer"
  let sampleRate: Int
  var channelCount: Int { sound.channelCount }
  var length: Int? { sound.frameCount }
  private(set) var position = 0
  private let sound: KeptSound

  init(_ sound: KeptSound, sampleRate: Int) {
    self.sound = sound
    self.sampleRate = sampleRate
  }

  func seek(to frame: Int) { position = min(max(frame, 0), sound.frameCount) }

  func readInterleaved(into buffer: UnsafeMutablePointer<Float>, count: Int) -> Int {
    let run = min(count, sound.frameCount - position), start = position * channelCount
    for sample in 0..<run * channelCount { buffer[sample] = sound.samples[start + sample] }
    position += run
    return run
  }
}
