// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import Foundation

@testable import SwiftletFiles

/// Files for parsers that read by path or by descriptor.
enum FuzzFile {
  /// Calls `body` with the path of a file in memory that has these bytes.
  static func with(_ bytes: [UInt8], _ body: (String) -> Void) {
    guard let file = try? MemoryFile(bytes) else { return }
    withExtendedLifetime(file) { body(file.path) }
  }

  /// Calls `body` with an open descriptor of a file in memory that has these bytes.
  static func withDescriptor(_ bytes: [UInt8], _ body: (Int32, String) -> Void) {
    with(bytes) { path in
      let descriptor = open(path, O_RDONLY | O_CLOEXEC)
      guard descriptor >= 0 else { return }
      defer { close(descriptor) }
      body(descriptor, path)
    }
  }

  /// Calls `body` with the path of a file in the temporary folder that has these bytes. Code that writes to a file
  /// refuses the path of a file in memory, which is a symbolic link.
  static func withNamed(_ bytes: [UInt8], _ body: (String) -> Void) {
    let path = FileManager.default.temporaryDirectory.appending(path: "swiftlet-fuzz-\(UUID())")
    guard (try? Data(bytes).write(to: path)) != nil else { return }
    defer { unlink(path.path) }
    body(path.path)
  }

  /// The bytes of a short sound in a format that Swiftlet writes.
  static func sound(
    _ name: String, _ format: String? = nil, channels: Int = 2, frames: Int = 200, tags: FileTags = FileTags()
  ) throws -> [UInt8] {
    let folder = FileManager.default.temporaryDirectory.appending(path: "swiftlet-fuzz-\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let path = folder.appending(path: name)
    let writer = try AudioFileWriter(
      path.path, format: RecordingFormat(path: name, named: format), sampleRate: 44_100,
      channelCount: channels,
      tags: tags)
    let wave = (0..<frames).map { Float($0 % 50) / 100 }
    try writer.write(Array(repeating: wave, count: channels))
    try writer.close()
    return [UInt8](try Data(contentsOf: path))
  }
}
