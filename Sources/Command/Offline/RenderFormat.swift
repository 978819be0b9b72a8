// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import ArgumentParser
internal import Swiftlet

/// The options for the formats of rendered files.
struct RenderFormat: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The format of files: \(RenderFormat.names.joined(separator: ", ")). It applies to all files that support it.",
      valueName: "format"),
    transform: expecting(RenderFormat.names.joined(separator: ", ")) { names.contains($0) ? $0 : nil })
  var format: String?

  @Option(
    help: ArgumentHelp(
      "The sample rate of the files; default: that of the graph.", valueName: "hertz"),
    transform: expecting("hertz", in: RecordingFormat.rates, as: 22_050))
  var fileRate: Int?

  @Option(
    help: ArgumentHelp("The quality of lossy files, from 0 (smallest) to 1 (best).", valueName: "0-1"),
    transform: expecting("a number from 0 to 1, as in 0.5") {
      Double($0).flatMap { (0...1).contains($0) ? $0 : nil }
    })
  var quality: Double?

  @Option(
    help: ArgumentHelp(
      "The bit rate of lossy files in bits a second, instead of --quality.", valueName: "bits"),
    transform: expecting("bits a second", in: 6000...100_000_000, as: 192_000))
  var bitRate: Int?

  @Flag(
    name: .customLong("no-dither"),
    help: "Round to 24 bits and fewer without dither.")
  var leavesOutDither = false

  /// The names of encodings, and of presets that have no encoding's name.
  private static let names =
    RecordingFormat.names + ExportPreset.allCases.map(\.name).filter { !RecordingFormat.names.contains($0) }

  func validate() throws {
    if quality != nil && bitRate != nil {
      throw ValidationError("--quality and --bit-rate exclude each other")
    }
  }

  /// Returns the format of each file. The requested format and quality apply to the files that support them; at least
  /// one file must.
  ///
  /// - Parameters:
  ///   - paths: The files' paths.
  ///   - hasPicture: Whether there is a picture for files that are movies.
  /// - Throws: ``FileError`` or ``ExportError`` of the first file if no file supports a requested value.
  func formats(of paths: [String], hasPicture: Bool = false) throws -> [RecordingFormat] {
    let asked: CodingQuality? = bitRate.map { .bitRate($0) } ?? quality.map { .quality($0) }
    let candidates = [(format, asked), (format, nil), (nil, asked), (nil, nil)]
    let found = paths.map { path in
      candidates.lazy.compactMap { name, quality in
        (try? make(path, name, quality, hasPicture)).map { (format: $0, name: name, quality: quality) }
      }.first
    }
    guard found.contains(where: { $0?.name == format }), found.contains(where: { $0?.quality == asked })
    else {
      return try paths.map { try make($0, format, asked, hasPicture) }
    }
    return try zip(paths, found).map { path, found in try found?.format ?? make(path, nil, nil, hasPicture) }
  }

  /// Returns the movie container of a file; nil for a sound file.
  func movie(_ path: String) -> MovieContainer? {
    if let movie = MovieContainer(path: path) { return movie }
    return AudioContainer(path: path) == nil ? preset(format)?.movie : nil
  }

  private func preset(_ name: String?) -> ExportPreset? {
    name.flatMap { try? ExportPreset(named: $0) }
  }

  private func make(
    _ path: String, _ name: String?, _ quality: CodingQuality?, _ hasPicture: Bool
  ) throws -> RecordingFormat {
    var format = try sound(path, name, quality, hasPicture)
    format.isDithered = !leavesOutDither
    return format
  }

  /// Returns the format of the sound, in a movie or in a sound file.
  private func sound(
    _ path: String, _ name: String?, _ quality: CodingQuality?, _ hasPicture: Bool
  ) throws -> RecordingFormat {
    guard let movie = movie(path), hasPicture || AudioContainer(path: path) == nil else {
      return try bare(path, name, quality)
    }
    guard hasPicture else {
      throw FileError(
        .noPicture, path, "has no picture: give the timeline a 'video', or end it in .m4a or .flac")
    }
    if let preset = preset(name), preset.movie != nil { try preset.check(path) }
    let encoding = name.map { name in
      RecordingFormat.names.contains(name) ? name : preset(name)?.format.encoding.rawValue ?? name
    }
    if let encoding, let wanted = SampleEncoding(rawValue: encoding), !movie.sound.encodings.contains(wanted)
    {
      let own = movie.sound.encodings.map(\.rawValue).joined(separator: ", ")
      let takers = AudioContainer.allCases.filter { $0.encodings.contains(wanted) }
      throw FileError(
        .unsupported, path,
        "cannot hold \(encoding) beside its picture: the sound of a .\(movie.rawValue) movie is \(own); leave the "
          + "format out, or write the sound to a file of its own: "
          + takers.map { "." + $0.rawValue }.joined(separator: ", "))
    }
    do throws(FileError) {
      return try RecordingFormat(
        path: "x." + movie.sound.rawValue, named: encoding, rate: fileRate.map(Double.init), quality: quality)
    } catch {
      throw FileError(error.kind, path, error.detail)
    }
  }

  private func bare(_ path: String, _ name: String?, _ quality: CodingQuality?) throws -> RecordingFormat {
    guard let name, !RecordingFormat.names.contains(name) || AudioContainer(path: path) == nil,
      let preset = preset(name)
    else {
      return try RecordingFormat(path: path, named: name, rate: fileRate.map(Double.init), quality: quality)
    }
    try preset.check(path)
    let known = path + (AudioContainer(path: path) == nil ? "." + preset.fileExtension : "")
    return try RecordingFormat(
      path: known, named: preset.format.encoding.rawValue, rate: fileRate.map(Double.init), quality: quality)
  }
}
