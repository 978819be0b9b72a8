// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

/// Compares an encoded file with the sound that it was made from, by decoding it again.
enum EncodedTake {
  /// How many frames a lossy codec may add at the end: two frames of MP3.
  private static let padding = 2304
  private static let batch = 65_536

  /// Holds a file to its source: the length for a lossy format, every sample for a lossless one.
  ///
  /// - Parameters:
  ///   - file: the encoded file.
  ///   - take: what the file is called in errors.
  ///   - sound: the source.
  /// - Returns: the frame count and the rate of the encoded file.
  /// - Throws: ``FileError`` where the file cannot be decoded or does not hold the sound.
  @discardableResult
  static func verify(
    _ file: String, take: String, against sound: String, _ format: RecordingFormat
  ) throws(FileError) -> SoundLength {
    let encoded = try AudioFileReader(file), source = try AudioFileReader(sound)
    let rate = Int(source.info.sampleRate), written = format.writtenRate(for: rate)
    guard encoded.info.channelCount == source.info.channelCount else {
      throw fault(take, "has \(encoded.info.channelCount) channels instead of \(source.info.channelCount)")
    }
    let expected = (source.info.frameCount * written + rate / 2) / rate
    let isLossless = format.encoding.isPlain || format.encoding.bits != nil
    // Two frames for the ends of a conversion to another rate.
    let slack = rate == written ? 0 : 2
    let lengths = expected - slack...expected + slack + (isLossless ? 0 : padding)
    guard lengths.contains(encoded.info.frameCount) else {
      throw fault(take, "has \(encoded.info.frameCount) frames instead of \(expected)")
    }
    let resampler =
      rate == written
      ? nil : Resampler(channelCount: source.info.channelCount, from: rate, to: written, quality: .best)
    // What a conversion or the rounding of a quantizer leaves: one step of the encoding.
    let tolerance: Float = resampler == nil ? 0 : format.encoding.bits.map { 1 / Float(1 << ($0 - 1)) } ?? 0
    // Only floating point holds what is louder than full scale.
    let loudest: Float = format.encoding.bits == nil ? .infinity : 1
    var isAtEnd = false
    while !isAtEnd {
      FinishingProgress.step()
      let frames = try source.read(batch)
      isAtEnd = frames.first?.isEmpty ?? true
      var wanted = interleaved(frames)
      if let resampler {
        wanted = resampler.push(wanted, count: frames.first?.count ?? 0, isLast: isAtEnd) ?? []
      }
      let position = encoded.position, channels = source.info.channelCount
      let found = interleaved(try encoded.read(wanted.count / channels))
      // A lossy file is read all the same, so that damage in the middle is found.
      guard isLossless else { continue }
      let wrong = zip(wanted, found).enumerated().first {
        abs(min(max($1.0, -loudest), loudest) - $1.1) > tolerance
      }
      if let sample = wrong?.offset {
        throw fault(
          take,
          "differs from its source at frame \(position + sample / channels), channel \(sample % channels + 1)"
        )
      }
    }
    return SoundLength(encoded.info)
  }

  /// The samples of all channels, frame by frame.
  private static func interleaved(_ frames: [[Float]]) -> [Float] {
    // Of no frames, Swift would write the length 0 into the one empty array that all threads share: a race on paper.
    guard let count = frames.first?.count, count > 0 else { return [] }
    return [Float](unsafeUninitializedCapacity: count * frames.count) { buffer, filled in
      for (channel, samples) in frames.enumerated() {
        for frame in 0..<count { buffer[frame * frames.count + channel] = samples[frame] }
      }
      filled = count * frames.count
    }
  }

  private static func fault(_ take: String, _ what: String) -> FileError {
    FileError(
      .unwritable, take, "was not encoded faithfully: the encoded file \(what); its source is kept")
  }
}
