// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

/// A container, the encoding of the samples in it, their rate, and how much a codec may leave out.
public struct RecordingFormat: Sendable, Equatable {
  /// The kind of file.
  public let container: AudioContainer
  /// How its samples are stored.
  public let encoding: SampleEncoding
  /// Frames a second in the file; nil for those of the sound, or the nearest that the codec knows.
  public var rate: Double?
  /// How much a lossy codec may leave out; nil, the default, is what few ears can tell from the original.
  public var quality: CodingQuality?
  /// Whether samples that are rounded to 24 bits or fewer are dithered with triangular noise of two steps (TPDF).
  /// Samples that fit the format are not changed, and silence stays silent. The noise is the same each time.
  public var isDithered = false

  /// The names of all encodings, as a manifest's `format:` knows them.
  package static let names = SampleEncoding.allCases.map(\.rawValue)

  /// The rates that may be asked for, in frames a second.
  package static let rates = 8000...192_000

  /// ``rate`` as a whole number; nil where that is nil, or no rate that can be asked for.
  package var wholeRate: Int? {
    rate.flatMap(Int.init(exactly:)).flatMap { Self.rates.contains($0) ? $0 : nil }
  }

  /// The format for a file: its container by its extension, its encoding by name.
  ///
  /// - Parameters:
  ///   - location: the path or `file:` URL of the file, which need not exist.
  ///   - name: the encoding, one of ``AudioContainer/encodings`` by its raw value; nil for the best that the container
  ///     takes: 32-bit float, 24 bits for FLAC, AAC for M4A.
  ///   - rate: frames a second in the file, a whole number from 8000 to 192000; nil for those of the sound.
  ///   - quality: how much the codec may leave out.
  /// - Throws: ``FileError`` if the extension or the name is not known, the container has no such encoding, the encoding
  ///   not this rate or quality, or the location is a URL that is not a file of this machine.
  public init(
    path location: some FileLocation, named name: String? = nil, rate: Double? = nil,
    quality: CodingQuality? = nil
  ) throws(FileError) {
    let path = try location.filePath
    guard let container = AudioContainer(path: path) else {
      let known = AudioContainer.allCases.map { "." + $0.rawValue }.joined(separator: " ")
      throw FileError(.badName, path, "has no extension that names a sound format; use one of \(known)")
    }
    var encoding: SampleEncoding?
    if let name {
      encoding = SampleEncoding(rawValue: name)
      guard let encoding else {
        let known = RecordingFormat.names.joined(separator: ", ")
        throw FileError(.badName, path, "is asked for in the format '\(name)'; known are \(known)")
      }
      guard container.encodings.contains(encoding) else {
        let own = container.encodings.map(\.rawValue)
        // Another ending may stand for the same container.
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

  /// A container with the best encoding it takes, or with `encoding` where it takes that.
  public init(container: AudioContainer, encoding: SampleEncoding? = nil) {
    self.container = container
    let taken = container.encodings
    self.encoding = encoding.flatMap { taken.contains($0) ? $0 : nil } ?? taken.first ?? .float32
  }

  /// How many channels fit.
  package var channelLimit: Int { min(container.channelLimit, encoding.channelLimit) }

  /// Whether the file that grows can be read at any moment, so that a crash costs its last second at most.
  ///
  /// What cannot be is journaled while it is recorded, and encoded when the take ends.
  var survivesCrash: Bool { container.growsReadable && encoding.isPlain && rate == nil }

  /// Whether the `ffmpeg` program writes it: MPEG-4; and Apple Lossless of 24 bits, which libsndfile 1.2.0
  /// writes wrong where it cannot make the sound smaller.
  var needsFFmpeg: Bool { container == .m4a || encoding == .alac24 }

  /// The rate of the file where the sound has `soundRate`.
  package func writtenRate(for soundRate: Int) -> Int {
    if let wholeRate { return wholeRate }
    if let known = encoding.knownRates, !known.contains(soundRate) {
      // As much of the band as there is; where all of it fits, the rate that most programs expect.
      return soundRate > 48_000 ? known.last ?? 48_000 : 48_000
    }
    return min(soundRate, encoding.highestRate(in: container))
  }

  /// How many bytes a second of sound takes, a file's header left out: 176,400 for a CD.
  ///
  /// - Parameters:
  ///   - channelCount: channels of the sound.
  ///   - soundRate: frames a second of the sound.
  /// - Returns: nil where that depends on what the sound is like: without loss, and by quality.
  package func bytesPerSecond(channelCount: Int, soundRate: Int) -> Int? {
    if case .bitRate(let bits) = quality { return bits / 8 }
    guard encoding.isPlain, container != .flac else { return nil }
    let (bytes, isTooMany) = writtenRate(for: soundRate).multipliedReportingOverflow(by: channelCount)
    let (all, areTooMany) = bytes.multipliedReportingOverflow(by: encoding.byteCount)
    return isTooMany || areTooMany ? nil : all
  }

  /// Checks that so many channels fit, and that the bit rate suits them.
  func check(channelCount: Int, soundRate: Int, path: String) throws(FileError) {
    let name =
      container.encodings.count > 1
      ? "\(encoding.rawValue) in .\(container.rawValue)" : ".\(container.rawValue)"
    guard 1...channelLimit ~= channelCount else {
      throw FileError(
        .unsupported, path, "cannot hold \(channelCount) channels: \(name) takes 1 to \(channelLimit)")
    }
    guard case .bitRate(let asked) = quality else { return }
    let written = writtenRate(for: soundRate)
    if let range = encoding.bitRates(channelCount: channelCount, sampleRate: written), !range.contains(asked)
    {
      throw FileError(
        .unsupported, path,
        "cannot have \(asked) bits a second: \(encoding.rawValue) takes \(range.lowerBound) to"
          + " \(range.upperBound) for this rate and number of channels")
    }
  }

  /// Checks what can be known before the sound is.
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
      guard encoding.squeezes else { throw withoutQuality(path) }
      guard (0...1).contains(value) else {
        throw FileError(.unsupported, path, "cannot have the quality \(value); use 0, smallest, to 1, best")
      }
    case .bitRate:
      guard encoding.squeezes else { throw withoutQuality(path) }
      guard encoding.bitRates(channelCount: 1, sampleRate: 48_000) != nil else {
        throw FileError(
          .unsupported, path, "cannot be told a bit rate: \(encoding.rawValue) takes a quality, from 0 to 1")
      }
    }
  }

  /// A rate as text; a whole one has no fraction: `22050`.
  static func text(_ rate: Double) -> String { Int(exactly: rate).map(String.init) ?? "\(rate)" }

  private func withoutQuality(_ path: String) -> FileError {
    FileError(
      .unsupported, path,
      "takes no quality or bit rate: \(encoding.rawValue) has one size; leave it out, or use vorbis, opus, mp3"
        + " or aac"
    )
  }
}
