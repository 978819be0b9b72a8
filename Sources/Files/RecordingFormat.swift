// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

/// How samples are stored in a file.
public enum SampleEncoding: String, Sendable, CaseIterable {
  /// Whole numbers of 16 bits.
  case int16 = "16-bit"
  /// Whole numbers of 24 bits.
  case int24 = "24-bit"
  /// Floating point of 32 bits: nothing clips.
  case float32 = "32-float"
  /// What the codec of a lossy container makes of them.
  case lossy = "lossy"

  /// How many bytes a sample takes while it is recorded.
  var byteCount: Int {
    switch self {
    case .int16: 2
    case .int24: 3
    case .float32, .lossy: 4
    }
  }
}

/// A container and the encoding of the samples in it.
public struct RecordingFormat: Sendable, Equatable {
  /// The kind of file.
  public let container: AudioContainer
  /// How its samples are stored.
  public let encoding: SampleEncoding

  /// The names that a manifest's `format:` knows.
  public static let names = [SampleEncoding.int16, .int24, .float32].map(\.rawValue)

  /// The format for a file: its container by its extension, its encoding by name.
  ///
  /// - Parameters:
  ///   - path: where the file will be.
  ///   - name: `16-bit`, `24-bit` or `32-float`; nil for the best the container
  ///     takes: 32-float, 24-bit for FLAC.
  /// - Throws: ``FileError`` where the extension or the name is not known, or the
  ///   container has no such encoding.
  public init(path: String, named name: String? = nil) throws(FileError) {
    guard let container = AudioContainer(path: path) else {
      let known = AudioContainer.allCases.map { "." + $0.rawValue }.joined(separator: " ")
      throw FileError(.badName, path, "has no extension that names a sound format; use one of \(known)")
    }
    guard let name else {
      self.init(container: container)
      return
    }
    let encodings = container.encodings
    guard let encoding = SampleEncoding(rawValue: name), RecordingFormat.names.contains(name) else {
      let known = RecordingFormat.names.joined(separator: ", ")
      throw FileError(.badName, path, "is asked for in the format '\(name)'; known are \(known)")
    }
    guard encodings.contains(encoding) else {
      let choice =
        encodings == [.lossy]
        ? "leave the format out" : "use " + encodings.map(\.rawValue).joined(separator: " or ")
      throw FileError(.unsupported, path, "cannot hold \(name) in a .\(container.rawValue) file; \(choice)")
    }
    self.init(container: container, encoding: encoding)
  }

  /// A container with the best encoding it takes, or with `encoding` where it takes that.
  public init(container: AudioContainer, encoding: SampleEncoding? = nil) {
    self.container = container
    let taken = container.encodings
    self.encoding = encoding.flatMap { taken.contains($0) ? $0 : nil } ?? taken.first ?? .float32
  }

  /// Checks that so many channels fit.
  func check(channelCount: Int, path: String) throws(FileError) {
    guard 1...container.channelLimit ~= channelCount else {
      throw FileError(
        .unsupported, path,
        "cannot hold \(channelCount) channels: .\(container.rawValue) takes 1 to \(container.channelLimit)"
      )
    }
  }
}
