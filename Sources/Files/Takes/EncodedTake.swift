// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

/// Verifies an encoded file by decoding it and comparing it with its source.
enum EncodedTake {
  /// The maximum number of frames that a lossy codec may add at the end: two MP3 frames.
  private static let padding = 2304
  private static let batch = 65_536

  /// Compares an encoded file with its source: the length for a lossy format, every sample for a lossless one.
  ///
  /// - Parameters:
  ///   - file: the encoded file.
  ///   - take: the file's name in errors.
  ///   - sound: the source.
  /// - Returns: the frame count and the rate of the encoded file.
  /// - Throws: ``FileError`` if the file cannot be decoded or differs from the source.
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
    // Allows two frames for the ends of a rate conversion.
    let slack = rate == written ? 0 : 2
    let lengths = expected - slack...expected + slack + (isLossless ? 0 : padding)
    guard lengths.contains(encoded.info.frameCount) else {
      throw fault(take, "has \(encoded.info.frameCount) frames instead of \(expected)")
    }
    let resampler =
      rate == written
      ? nil : Resampler(channelCount: source.info.channelCount, from: rate, to: written, quality: .best)
    // The rounding error of a rate conversion or a quantizer: one step of the encoding.
    let tolerance: Float = resampler == nil ? 0 : format.encoding.bits.map { 1 / Float(1 << ($0 - 1)) } ?? 0
    // Only floating-point encodings store samples above full scale.
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
      // A lossy file is decoded to its end too, so that damage in the middle is found.
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

  /// Returns the samples of all channels, interleaved.
  private static func interleaved(_ frames: [[Float]]) -> [Float] {
    // With a count of 0, Swift would write the length into the empty array that all threads share, which is formally a
    // data race.
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
