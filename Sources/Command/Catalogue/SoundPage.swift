// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import Glibc
internal import Swiftlet
internal import SwiftletManifest

/// A sound file as people, and programs, read of it.
struct SoundPage {
  /// What the file says of itself.
  let info: AudioFileInfo
  private let asset: AudioAsset

  /// Opens the file.
  ///
  /// - Throws: ``FileError``.
  init(_ path: String) throws {
    let asset = AudioAsset(path)
    self.asset = asset
    info = try Awaited.value { () async throws(FileError) in try await asset.info }
  }

  /// The file as the word of a command: one that is there and no folder, or is named as sound files are.
  static func path(_ word: String) -> String? {
    var status = stat()
    let isFile = !word.utf8.contains(0) && stat(word, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
    return isFile || AudioContainer(path: word) != nil ? word : nil
  }

  private var length: String {
    "\(Digits.clock(info.duration.seconds)).\(Self.thousandths(info.duration.seconds)) (\(Digits.count(info.frameCount, "frame")))"
  }

  private var rate: String {
    "\(ResponsePicture.hertz(info.sampleRate)), \(Digits.count(info.channelCount, "channel"))"
  }

  /// All there is to know of it.
  func lines(style: Style) -> [StyledText] {
    var facts = Table()
    facts.add("lasts", length)
    facts.add("kind", info.container.shortened())
    facts.add("samples", "\(info.encoding.shortened()), \(rate)")
    var tags = Table(indent: "  ")
    for tag in info.tags.all { tags.add(tag.name, tag.text.shortened(to: 300)) }
    let title = style.paint(info.path.shortened(), .bold)
    return [title, ""] + facts.lines
      + (info.tags.isEmpty ? [] : ["", style.paint("tags", .bold)] + tags.lines)
  }

  /// The same for programs.
  var json: JSONValue {
    .object([
      JSONValue.format, ("path", .string(info.path)), ("container", .string(info.container)),
      ("encoding", .string(info.encoding)), ("sampleRate", .number(info.sampleRate)),
      ("channels", .integer(info.channelCount)), ("frames", .integer(info.frameCount)),
      ("seconds", .number(info.duration.seconds)),
      ("tags", .object(info.tags.all.map { ($0.name, .string($0.text)) })),
    ])
  }

  /// What its waveform looks like.
  func picture() throws -> WaveformPicture {
    let asset = asset
    let channels = try Awaited.value { () async throws(FileError) in
      try await asset.waveform(columns: WaveformPicture.columns)
    }
    let name = info.path.split(separator: "/").last.map(String.init) ?? info.path
    return WaveformPicture(
      title: info.tags.title.map { $0.shortened(to: 60) } ?? name.shortened(to: 60),
      note: "\(Digits.clock(info.duration.seconds)), \(rate)", channels: channels,
      duration: info.duration.seconds)
  }

  /// The thousandths of a second, rounded down.
  private static func thousandths(_ seconds: Double) -> String {
    let rest = String(Int(max(seconds, 0) * 1000) % 1000)
    return String(repeating: "0", count: 3 - rest.count) + rest
  }
}
