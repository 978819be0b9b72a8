// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import Foundation
public import SwiftletFiles
public import SwiftletGraph
public import SwiftletTimeline

/// A file that an export writes.
///
/// A value, for any thread.
public struct ExportFile: Sendable {
  /// The path of the file. Its extension fits the format's container, or names no container.
  public var path: String { didSet { refusal = nil } }
  /// The reason why the location is not in the file system; nil if it is.
  private(set) var refusal: FileError?
  /// The container, encoding, sample rate and quality.
  public var format: RecordingFormat
  /// The node that is exported: the sound of an output node, or of an output bus of any other node.
  public var node: AudioNode
  /// The bus of the node.
  public var bus: Bus
  /// The output node of a mix that this sound is a part of, such as a stem; default: none. With a loudness target, a
  /// part gets the same gain as its mix, and no limiter; every other file is brought to the target by itself.
  public var mix: AudioNode?
  /// Whether an existing file is replaced. If false, an existing file is an error.
  public var overwrites: Bool
  /// The picture of a movie, in the engine's time; empty for sound alone. The picture is copied if possible, and
  /// otherwise encoded again: ``ExportFile/Report/picture`` reports which.
  public private(set) var video = VideoTrack()
  /// The container of the movie; nil if there is no picture.
  private(set) var movie: MovieContainer?

  /// Creates a file of a node's sound.
  ///
  /// - Parameters:
  ///   - location: a path or a `file:` URL. For any other URL, ``ExportSession/add(_:)`` throws
  ///     ``ExportError/file(_:)``.
  ///   - format: container, encoding and rate.
  ///   - node: the node that is exported.
  ///   - bus: the node's output bus; default: 0.
  ///   - mix: the node of the mix that this sound is a part of: see ``ExportFile/mix``; default: none.
  ///   - overwrites: whether a file that exists is replaced; default: false, which makes it an error.
  public init(
    _ location: some FileLocation, format: RecordingFormat, of node: AudioNode, bus: Bus = 0,
    mix: AudioNode? = nil, overwrites: Bool = false
  ) {
    (path, refusal) = location.resolved
    self.format = format
    self.node = node
    self.bus = bus
    self.mix = mix
    self.overwrites = overwrites
  }

  /// Creates a file of a node's sound by a preset. Without a preset, the extension selects the container, with its
  /// best encoding. Samples of few bits are dithered: ``RecordingFormat/isDithered``.
  ///
  /// - Parameters:
  ///   - location: a path or a `file:` URL.
  ///   - preset: the format; default: the best that the extension allows.
  ///   - node: the node that is exported.
  ///   - bus: the node's output bus; default: 0.
  ///   - mix: the node of the mix that this sound is a part of: see ``ExportFile/mix``; default: none.
  ///   - overwrites: whether a file that exists is replaced; default: false, which makes it an error.
  /// - Throws: ``ExportError/file(_:)`` if the extension is not that of a sound format, or does not match the preset.
  public init(
    _ location: some FileLocation, as preset: ExportPreset? = nil, of node: AudioNode, bus: Bus = 0,
    mix: AudioNode? = nil, overwrites: Bool = false
  ) throws(ExportError) {
    let path = try location.exportPath
    guard let preset else {
      var format = try exportingFile { () throws(FileError) in try RecordingFormat(path: path) }
      format.isDithered = true
      self.init(path, format: format, of: node, bus: bus, mix: mix, overwrites: overwrites)
      return
    }
    try preset.check(path)
    guard preset.movie == nil else {
      throw .file(
        FileError(
          .noPicture, path, "has no picture, and the preset '\(preset.name)' is for movies: give it a video"))
    }
    var format = preset.format
    format.isDithered = true
    self.init(path, format: format, of: node, bus: bus, mix: mix, overwrites: overwrites)
  }

  /// A file that an export has written.
  public struct Report: Sendable, Equatable {
    /// The path of the file.
    public var path: String
    /// The name of the node whose sound the file has.
    public var node: String
    /// The length in frames at the engine's rate; a file with another sample rate has a different number.
    public var frameCount: Int
    /// The engine's sample rate in hertz.
    public var sampleRate: Double
    /// The largest sample of all channels, in dBFS; -160 for silence.
    public var peak: Float
    /// The integrated loudness in LUFS and the true peak in dBTP, -infinity for silence; nil without a loudness target.
    public var loudness: Double?, truePeak: Double?
    /// The gain in dB that was applied before the limiter to reach the loudness target.
    public var gain: Double = 0
    /// How the picture was stored; nil for a file without one.
    public var picture: PictureReport?
    /// The names of the tags that the container cannot store; empty if all were stored.
    public var lostTags: [String] = []
  }
}

extension ExportFile {
  /// Creates a movie: a picture with a node's sound, `film.mp4`.
  ///
  ///     try export.add(ExportFile("film.mp4", video: composition.video, of: output))
  ///
  /// - Parameters:
  ///   - location: a path or a `file:` URL; its extension selects the kind of movie, unless the preset does.
  ///   - preset: the format of the sound, or the kind of movie; default: AAC, or FLAC in a `.mkv`.
  ///   - video: the picture.
  ///   - node: the node whose sound the movie has.
  ///   - bus: the node's output bus; default: 0.
  ///   - overwrites: whether a file that exists is replaced; default: false, which makes it an error.
  /// - Throws: ``ExportError/file(_:)`` if the extension is not that of a movie, or the preset is for another kind of
  ///   file.
  public init(
    _ location: some FileLocation, as preset: ExportPreset? = nil, video: VideoTrack, of node: AudioNode,
    bus: Bus = 0, overwrites: Bool = false
  ) throws(ExportError) {
    let path = try location.exportPath
    try preset?.check(path)
    guard let movie = MovieContainer(path: path) ?? preset?.movie else { throw .file(.noMovie(path)) }
    var format = RecordingFormat(container: movie.sound, encoding: preset?.format.encoding)
    format.quality = preset?.format.quality
    format.isDithered = true
    self.init(path, movie, format: format, video: video, of: node, bus: bus, overwrites: overwrites)
  }

  /// Creates a movie whose sound is stored in a format of ``SwiftletFiles/MovieContainer/sound``.
  package init(
    _ path: String, _ movie: MovieContainer, format: RecordingFormat, video: VideoTrack, of node: AudioNode,
    bus: Bus = 0, overwrites: Bool = false
  ) {
    self.init(path, format: format, of: node, bus: bus, overwrites: overwrites)
    (self.movie, self.video) = (movie, video)
  }
}

extension FileError {
  /// The error for a name that is not that of a movie.
  static func noMovie(_ path: String) -> FileError {
    let known = MovieContainer.allCases.map { "." + $0.rawValue }.joined(separator: " ")
    return FileError(.badName, path, "does not have the extension of a movie: use one of \(known)")
  }
}

extension ExportPreset {
  /// Checks that the extension of a path matches the preset.
  ///
  /// - Throws: ``ExportError/file(_:)`` if the extension is that of another kind of file.
  package func check(_ path: String) throws(ExportError) {
    if let movie {
      let named = MovieContainer(path: path)
      guard named == movie || (named == nil && AudioContainer(path: path) == nil) else { throw refusal(path) }
      return
    }
    guard let container = AudioContainer(path: path), container != format.container else { return }
    throw refusal(path)
  }

  private func refusal(_ path: String) -> ExportError {
    .file(
      FileError(
        .unsupported, path,
        "does not match the preset '\(name)', which is for .\(fileExtension) files: give it "
          + "that extension, or omit the preset"))
  }
}
