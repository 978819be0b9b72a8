// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import Foundation
internal import SwiftletProcesses

extension FFmpeg {
  /// The default maximum number of bytes that are read of a program's output.
  static let outputLimit = 1 << 20

  /// Runs one of the programs to its end, and returns its output, up to `most` bytes.
  ///
  /// - Throws: ``FileError``, as ``start(_:_:for:isFed:timeout:)``.
  static func output(
    of program: String, _ arguments: [String], for path: String, most: Int = outputLimit
  ) throws(FileError) -> (output: Data, ending: ChildProcess.Ending) {
    let child = try start(program, arguments, for: path)
    var (text, bytes) = (Data(), [UInt8](repeating: 0, count: 8192))
    while text.count < most {
      let got = child.read(into: &bytes, bytes.count)
      guard got > 0 else { break }
      text.append(contentsOf: bytes[..<got])
    }
    return (text, child.finish())
  }

  /// Whether `ffmpeg` was built with an encoder.
  ///
  /// - Throws: ``FileError``, as ``start(_:_:for:isFed:timeout:)``.
  static func hasEncoder(_ name: String, for path: String) throws(FileError) -> Bool {
    let list = String(decoding: try output(of: "ffmpeg", ["-encoders"], for: path).output, as: UTF8.self)
    // A line such as ` V....D libx264   libx264 H.264 / AVC …`.
    return list.split(whereSeparator: \.isNewline).contains { line in
      line.split(separator: " ").dropFirst().first.map { $0 == name } ?? false
    }
  }
}
