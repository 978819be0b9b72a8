// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import Glibc
internal import Swiftlet
internal import SwiftletManifest

/// The description of a sound file, as text and as JSON.
struct SoundPage {
  /// The file's metadata.
  let info: AudioFileInfo
  private let asset: AudioAsset

  /// Opens the file.
  ///
  /// - Throws: ``FileError``.
  init(_ path: String) throws {
    let asset = AudioAsset(path)
    self.asset = asset
    info = try BlockingCall.value { () async throws(FileError) in try await asset.info }
  }

  /// Returns the argument if it is a regular file or has the extension of a sound file; nil otherwise.
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

  /// Returns the description as text.
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

  /// The description as JSON.
  var json: JSONValue {
    .object([
      JSONValue.format, ("path", .string(info.path)), ("container", .string(info.container)),
      ("encoding", .string(info.encoding)), ("sampleRate", .number(info.sampleRate)),
      ("channels", .integer(info.channelCount)), ("frames", .integer(info.frameCount)),
      ("seconds", .number(info.duration.seconds)),
      ("tags", .object(info.tags.all.map { ($0.name, .string($0.text)) })),
    ])
  }

  /// Returns a picture of the waveform.
  func picture() throws -> WaveformPicture {
    let asset = asset
    let channels = try BlockingCall.value { () async throws(FileError) in
      try await asset.waveform(columns: WaveformPicture.columns)
    }
    let name = info.path.split(separator: "/").last.map(String.init) ?? info.path
    return WaveformPicture(
      title: info.tags.title.map { $0.shortened(to: 60) } ?? name.shortened(to: 60),
      note: "\(Digits.clock(info.duration.seconds)), \(rate)", channels: channels,
      duration: info.duration.seconds)
  }

  /// Returns the milliseconds within the second, rounded down.
  private static func thousandths(_ seconds: Double) -> String {
    let rest = String(Int(max(seconds, 0) * 1000) % 1000)
    return String(repeating: "0", count: 3 - rest.count) + rest
  }
}
