// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

/// A container, the encoding and rate of its samples, and the quality of a lossy codec.
public struct RecordingFormat: Sendable, Equatable {
  /// The container.
  public let container: AudioContainer
  /// The encoding of the samples.
  public let encoding: SampleEncoding
  /// Frames per second in the file. If nil, the rate of the sound, or the nearest rate that the codec supports.
  public var rate: Double?
  /// The quality of a lossy codec. If nil, the default, a quality that few listeners can tell from the original.
  public var quality: CodingQuality?
  /// Whether samples that are rounded to 24 bits or fewer are dithered with triangular noise of two steps (TPDF).
  /// Samples that need no rounding are not changed, and silence stays silent. The noise is the same in every run. The
  /// default is false.
  public var isDithered = false

  /// The names of all encodings, as in a manifest's `format:`.
  package static let names = SampleEncoding.allCases.map(\.rawValue)

  /// The range of rates that a format may request, in frames per second.
  package static let rates = 8000...192_000

  /// ``rate`` as a whole number; nil if it is nil, fractional or outside ``rates``.
  package var wholeRate: Int? {
    rate.flatMap(Int.init(exactly:)).flatMap { Self.rates.contains($0) ? $0 : nil }
  }

  /// Creates the format for a file: the container by its extension, the encoding by name.
  ///
  /// - Parameters:
  ///   - location: the path or `file:` URL of the file, which need not exist.
  ///   - name: the encoding, one of ``AudioContainer/encodings`` by its raw value; nil, the default, for the
  ///     container's best: 32-bit float, 24 bits for FLAC, AAC for M4A.
  ///   - rate: frames per second in the file, a whole number from 8000 to 192000; nil, the default, for the rate of the
  ///     sound.
  ///   - quality: the quality of a lossy codec; nil, the default, for the codec's default.
  /// - Throws: ``FileError`` if the extension or the name is unknown, the container does not support the encoding, the
  ///   encoding does not support the rate or quality, or the location is a URL that is not a file of this machine.
  public init(
    path location: some FileLocation, named name: String? = nil, rate: Double? = nil,
    quality: CodingQuality? = nil
  ) throws(FileError) {
    let path = try location.filePath
    guard let container = AudioContainer(path: path) else {
      let known = AudioContainer.allCases.map { "." + $0.rawValue }.joined(separator: " ")
      throw FileError(.badName, path, "does not have the extension of a sound format; use one of \(known)")
    }
    var encoding: SampleEncoding?
    if let name {
      encoding = SampleEncoding(rawValue: name)
      guard let encoding else {
        let known = RecordingFormat.names.joined(separator: ", ")
        throw FileError(.badName, path, "is requested in the unknown format '\(name)'; use one of \(known)")
      }
      guard container.encodings.contains(encoding) else {
        let own = container.encodings.map(\.rawValue)
        // Several extensions may stand for one container.
        let ending = path.split(separator: ".").last?.lowercased() ?? container.rawValue
        let choice = own.count == 1 ? "leave the format out" : "use \(own.joined(separator: ", "))"
        throw FileError(
          .unsupported, path,
          "cannot hold \(name) in a .\(ending) file; \(choice), or name a file that takes it:"
            + " \(AudioContainer.names(taking: encoding))")
      }
    }
    self.init(container: container, encoding: encoding)
    (self.rate, self.quality) = (rate, quality)
    try check(path)
  }

  /// Creates a format with `encoding` if the container supports it, otherwise with the container's best encoding.
  public init(container: AudioContainer, encoding: SampleEncoding? = nil) {
    self.container = container
    let taken = container.encodings
    self.encoding = encoding.flatMap { taken.contains($0) ? $0 : nil } ?? taken.first ?? .float32
  }

  /// The maximum number of channels.
  package var channelLimit: Int { min(container.channelLimit, encoding.channelLimit) }

  /// Whether the file is readable at any moment while it grows, so that a crash costs at most the last second.
  ///
  /// The sound of any other format is journaled as WAV during the recording and encoded when the take ends.
  var survivesCrash: Bool { container.growsReadable && encoding.isPlain && rate == nil }

  /// Whether `ffmpeg` writes the format: MPEG-4, and 24-bit Apple Lossless, which libsndfile 1.2.0 writes wrong if the
  /// sound cannot be compressed.
  var needsFFmpeg: Bool { container == .m4a || encoding == .alac24 }

  /// Returns the rate of the file for a sound at `soundRate`.
  package func writtenRate(for soundRate: Int) -> Int {
    if let wholeRate { return wholeRate }
    if let known = encoding.knownRates, !known.contains(soundRate) {
      // Above 48 kHz, the codec's highest rate keeps as much of the band as possible. Otherwise 48 kHz keeps all of it,
      // and most programs expect that rate.
      return soundRate > 48_000 ? known.last ?? 48_000 : 48_000
    }
    return min(soundRate, encoding.highestRate(in: container))
  }

  /// Returns the data rate in bytes per second, without the file's header: 176,400 for a CD.
  ///
  /// - Parameters:
  ///   - channelCount: the number of channels.
  ///   - soundRate: frames per second of the sound.
  /// - Returns: nil if the size depends on the content: for lossless compression and for a lossy codec with a quality.
  package func bytesPerSecond(channelCount: Int, soundRate: Int) -> Int? {
    if case .bitRate(let bits) = quality { return bits / 8 }
    guard encoding.isPlain, container != .flac else { return nil }
    let (bytes, isTooMany) = writtenRate(for: soundRate).multipliedReportingOverflow(by: channelCount)
    let (all, areTooMany) = bytes.multipliedReportingOverflow(by: encoding.byteCount)
    return isTooMany || areTooMany ? nil : all
  }

  /// Checks the channel count, and the bit rate for that channel count.
  func check(channelCount: Int, soundRate: Int, path: String) throws(FileError) {
    let name =
      container.encodings.count > 1
      ? "\(encoding.rawValue) in .\(container.rawValue)" : ".\(container.rawValue)"
    guard 1...channelLimit ~= channelCount else {
      throw FileError(
        .unsupported, path, "cannot hold \(channelCount) channels: \(name) takes 1 to \(channelLimit)")
    }
    guard case .bitRate(let requested) = quality else { return }
    let written = writtenRate(for: soundRate)
    if let range = encoding.bitRates(channelCount: channelCount, sampleRate: written),
      !range.contains(requested)
    {
      throw FileError(
        .unsupported, path,
        "cannot have \(requested) bits a second: \(encoding.rawValue) takes \(range.lowerBound) to"
          + " \(range.upperBound) for this rate and number of channels")
    }
  }

  /// Checks the rate and the quality, which are known before the sound.
  func check(_ path: String) throws(FileError) {
    if let rate {
      let most = encoding.highestRate(in: container)
      guard let whole = wholeRate, whole <= most, encoding.knownRates?.contains(whole) ?? true else {
        let known =
          encoding.knownRates.map { $0.map(String.init).joined(separator: ", ") }
          ?? "\(RecordingFormat.rates.lowerBound) to \(min(most, RecordingFormat.rates.upperBound))"
        throw FileError(
          .unsupported, path,
          "cannot be written at \(RecordingFormat.text(rate)) Hz: \(encoding.rawValue) takes \(known) Hz")
      }
    }
    switch quality {
    case nil: break
    case .quality(let value):
      guard encoding.isLossy else { throw withoutQuality(path) }
      guard (0...1).contains(value) else {
        throw FileError(.unsupported, path, "cannot have the quality \(value); use 0, smallest, to 1, best")
      }
    case .bitRate:
      guard encoding.isLossy else { throw withoutQuality(path) }
      guard encoding.bitRates(channelCount: 1, sampleRate: 48_000) != nil else {
        throw FileError(
          .unsupported, path,
          "cannot have a bit rate: \(encoding.rawValue) supports only a quality; use one from 0 to 1")
      }
    }
  }

  /// Returns a rate as text; a whole number has no fraction: `22050`.
  static func text(_ rate: Double) -> String { Int(exactly: rate).map(String.init) ?? "\(rate)" }

  private func withoutQuality(_ path: String) -> FileError {
    FileError(
      .unsupported, path,
      "supports no quality or bit rate: \(encoding.rawValue) is not lossy; leave it out, or use vorbis, opus, mp3"
        + " or aac"
    )
  }
}
