// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import Foundation
import Testing

@testable import SwiftletFiles

/// Files written to by another program while they are read. The rest would be another sound, or noise.
@Suite struct ChangedFileTests {
  /// A change of a file of three seconds after one second has been read.
  enum Change: CaseIterable {
    case overwrittenInPlace, writtenAnew, touched, cut
  }

  private func write(_ path: String, seed: UInt64) throws {
    let writer = try AudioFileWriter(
      path, format: RecordingFormat(path: path), sampleRate: 48_000, channelCount: 2, overwrites: true)
    try writer.write([noise(144_000, seed: seed), noise(144_000, seed: seed + 1)])
    try writer.close()
  }

  @Test(arguments: Change.allCases, ["a.wav", "a.flac", "a.caf"])
  func `a file modified during reading is read no further`(_ change: Change, name: String) throws {
    let folder = try Folder()
    let path = folder[name]
    try write(path, seed: 1)
    let reader = try AudioFileReader(path)
    #expect(try reader.read(48_000)[0].count == 48_000)
    // Long enough for the kernel's clock to advance.
    usleep(30_000)
    switch change {
    case .overwrittenInPlace:
      let handle = try #require(FileHandle(forUpdatingAtPath: path))
      try handle.seek(toOffset: 100_000)
      try handle.write(contentsOf: Data(repeating: 7, count: 100_000))
      try handle.close()
    case .writtenAnew:
      try write(folder["b-" + name], seed: 7)
      let bytes = try #require(FileManager.default.contents(atPath: folder["b-" + name]))
      try bytes.write(to: URL(filePath: path), options: [])
    case .touched: utimes(path, nil)
    case .cut: truncate(path, 150_000)
    }
    let error = #expect(throws: FileError.self) { while try !reader.read(4800)[0].isEmpty {} }
    #expect(error?.kind == .changed && error?.path == path, "\(String(describing: error))")
    // Frames buffered before the change are refused, too.
    #expect(throws: FileError.self) { _ = try reader.read(1) }
  }

  @Test func `a replaced file is read to its end`() throws {
    let folder = try Folder()
    try write(folder["a.wav"], seed: 1)
    let whole = try AudioFileReader(folder["a.wav"]).read(.max)
    let reader = try AudioFileReader(folder["a.wav"])
    let begin = try reader.read(48_000)
    try write(folder["b.wav"], seed: 7)
    #expect(rename(folder["b.wav"], folder["a.wav"]) == 0)
    let rest = try reader.read(.max)
    #expect(begin[1] + rest[1] == whole[1])
    #expect(unlink(folder["a.wav"]) == 0)
    try reader.seek(to: 10)
    #expect(try reader.read(10)[0] == Array(whole[0][10..<20]))
  }
}
