// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import Foundation
import Swiftlet
import Testing

/// Writes buffers to sound files.
final class BufferWritingTests {
  private let folder = FileManager.default.temporaryDirectory.path + "/swiftlet-" + UUID().uuidString

  deinit { try? FileManager.default.removeItem(atPath: folder) }

  private func stereoWriter(_ path: String) throws -> AudioFileWriter {
    try AudioFileWriter(path, format: RecordingFormat(path: path), sampleRate: 8000, channelCount: 2)
  }

  @Test func `a file holds the frames of all buffers that were written to it`() throws {
    let path = folder + "/a.wav", writer = try stereoWriter(path)
    let first = AudioBuffer([staircase(300), staircase(300, from: 300)])
    let last = AudioBuffer([staircase(200, from: 600), []])
    for buffer in [first, AudioBuffer(channelCount: 2, frameCount: 0), last] { try writer.write(buffer) }
    try writer.close()
    var whole = first
    whole.append(last)
    #expect(writer.frameCount == 500)
    #expect(try AudioFileReader(path).read(1000) == whole.channels)
  }

  @Test(arguments: [0, 1, 3]) func `a buffer with another channel count than its file is refused`(
    count: Int
  ) throws {
    let path = folder + "/a.wav", writer = try stereoWriter(path)
    #expect {
      try writer.write(AudioBuffer(channelCount: count, frameCount: 10))
    } throws: {
      ($0 as? FileError)?.kind == .unsupported && "\($0)".contains("is \(count) instead of 2")
    }
    #expect(writer.frameCount == 0)
    try writer.write(AudioBuffer(channelCount: 2, frameCount: 10))
    try writer.close()
    #expect(try AudioFileReader(path).info.frameCount == 10)
  }

  @Test func `a buffer for a closed file is refused`() throws {
    let writer = try stereoWriter(folder + "/a.wav")
    try writer.close()
    #expect(throws: FileError.self) { try writer.write(AudioBuffer(channelCount: 2, frameCount: 10)) }
  }
}
