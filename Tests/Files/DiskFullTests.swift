// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import Foundation
import SwiftletDisk
import SwiftletGraph
import Testing

@testable import SwiftletFiles

@Suite struct DiskFullTests {
  private let origin = TakeOrigin("vocal: dry", date: Date(timeIntervalSince1970: 1_770_000_000))

  @Test(.enabled(if: isInstalled("ffmpeg")), arguments: FormatTests.pairs)
  func `a full disk ends a take of any format, keeps its sound, and affects nothing else`(
    _ container: AudioContainer, _ encoding: SampleEncoding
  ) throws {
    let folder = try Folder()
    let name = "a." + container.rawValue, path = folder[name]
    let recorder = TakeRecorder(
      sampleRate: 48_000, prepare: { file in if file.path.hasPrefix(path) { file.capacity = 60_000 } })
    let sinks = [TapSink(channelCount: 1), TapSink(channelCount: 1)]
    try recorder.start([
      TakeRecorder.Request(
        tap: "a", sink: sinks[0], path: path,
        format: try RecordingFormat(path: name, named: encoding.rawValue), startFrame: 0, origin: origin),
      TakeRecorder.Request(
        tap: "b", sink: sinks[1], path: folder["b.wav"], format: RecordingFormat(container: .wav),
        startFrame: 0, origin: origin),
    ])
    let backends = sinks.map { BlockBackend($0, inputs: 1) }
    let sound = noise(100_000, bits: 8).map { $0 * 0.5 }.map { ($0 * 128).rounded() / 128 }
    for start in stride(from: 0, to: sound.count, by: 1000) {
      for backend in backends {
        backend.run(frame: Int64(start), count: 1000, [Array(sound[start..<start + 1000])])
      }
      usleep(1000)
    }
    let reports = recorder.finish(at: 100_000, within: .seconds(5))
    let full = try #require(reports.first { $0.tap == "a" })
    #expect(full.failure?.contains("the disk is full") == true, "\(full.failure ?? "nothing was said")")
    if let sound = full.unfinishedSound {
      #expect(full.failure?.hasSuffix("; its sound is in '\(sound)'; recover it") == true)
    }
    let other = try #require(reports.first { $0.tap == "b" })
    #expect(other.isClean && other.frameCount == 100_000)
    #expect(try AudioFileReader(folder["b.wav"]).read(200_000)[0] == sound)
    // Now there is space again.
    for result in try TakeRecovery.recover(directory: folder.path) {
      #expect(result.failure == nil, "\(result)")
    }
    #expect(folder.names == [name, "b.wav"])
    let heard = try AudioFileReader(path).read(200_000)[0]
    #expect(heard.count > 2000)
    if encoding.isPlain || encoding.bits != nil { #expect(heard[...] == sound[..<heard.count]) }
  }

  @Test func `a kernel without space is reported as a full disk`() throws {
    let writer = try? AudioFileWriter(
      sink: FileSink("/dev/full", .named), format: RecordingFormat(container: .wav), sampleRate: 48000,
      channelCount: 1)
    #expect {
      try writer?.write([noise(100_000)])
      try writer?.close()
      if writer == nil { throw FileError(.diskFull, "", "") }
    } throws: { ($0 as? FileError)?.kind == .diskFull }
  }
}
