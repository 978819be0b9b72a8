// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import ArgumentParser
internal import Swiftlet

/// What the files of a render are to be.
struct RenderFormat: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "What files are: \(RenderFormat.names.joined(separator: ", ")). Of several files, those that can be it.",
      valueName: "format"),
    transform: expecting(RenderFormat.names.joined(separator: ", ")) { names.contains($0) ? $0 : nil })
  var format: String?

  @Option(
    help: ArgumentHelp(
      "Frames a second in the files; those of the graph where nothing is said.", valueName: "hertz"),
    transform: expecting("hertz", in: RecordingFormat.rates, as: 22_050))
  var fileRate: Int?

  @Option(
    help: ArgumentHelp("How well lossy files sound, from 0, smallest, to 1, best.", valueName: "0-1"),
    transform: expecting("a number from 0 to 1, as in 0.5") {
      Double($0).flatMap { (0...1).contains($0) ? $0 : nil }
    })
  var quality: Double?

  @Option(
    help: ArgumentHelp("Bits a second of lossy files, in place of --quality.", valueName: "bits"),
    transform: expecting("bits a second", in: 6000...100_000_000, as: 192_000))
  var bitRate: Int?

  @Flag(
    name: .customLong("no-dither"),
    help: "Round to 24 bits and fewer without the noise that hides what is rounded off.")
  var leavesOutDither = false

  /// Encodings, and presets that are not called as one.
  private static let names =
    RecordingFormat.names + ExportPreset.all.map(\.name).filter { !RecordingFormat.names.contains($0) }

  func validate() throws {
    if quality != nil && bitRate != nil { throw ValidationError("--quality and --bit-rate: say one of them") }
  }

  /// What each of some files is to be. What is asked for is for those that can be it, and one of them must.
  ///
  /// - Throws: ``FileError`` or ``ExportError``, of the first file where none can.
  func formats(of paths: [String]) throws -> [RecordingFormat] {
    let asked: CodingQuality? = bitRate.map { .bitRate($0) } ?? quality.map { .quality($0) }
    let wishes = [(format, asked), (format, nil), (nil, asked), (nil, nil)]
    let found = paths.map { path in
      wishes.lazy.compactMap { name, quality in
        (try? make(path, name, quality)).map { (format: $0, name: name, quality: quality) }
      }.first
    }
    guard found.contains(where: { $0?.name == format }), found.contains(where: { $0?.quality == asked })
    else {
      return try paths.map { try make($0, format, asked) }
    }
    return try zip(paths, found).map { path, found in try found?.format ?? make(path, nil, nil) }
  }

  private func make(_ path: String, _ name: String?, _ quality: CodingQuality?) throws -> RecordingFormat {
    var format = try bare(path, name, quality)
    format.isDithered = !leavesOutDither
    return format
  }

  private func bare(_ path: String, _ name: String?, _ quality: CodingQuality?) throws -> RecordingFormat {
    guard let name, !RecordingFormat.names.contains(name) || AudioContainer(path: path) == nil,
      let preset = ExportPreset.all.first(where: { $0.name == name })
    else { return try RecordingFormat(path: path, named: name, rate: fileRate, quality: quality) }
    try preset.check(path)
    let known = path + (AudioContainer(path: path) == nil ? "." + preset.fileExtension : "")
    return try RecordingFormat(
      path: known, named: preset.format.encoding.rawValue, rate: fileRate, quality: quality)
  }
}
