// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import Foundation
import SwiftletGraph
import Synchronization
import Testing

@testable import SwiftletFiles

/// Takes that lose frames, and the metadata that lists the losses.
extension RecorderTests {
  @Test(arguments: ["a.flac", "a.ogg", "a.opus", "a.mp3"])
  func `a comment lists lost frames in formats without cue points`(_ name: String) throws {
    let folder = try Folder()
    try loseFrames(folder, name)
    let tags = try #require(
      output(
        of: "ffprobe", "-v", "error", "-show_entries", "format_tags:stream_tags", "-of", "flat", folder[name])
    )
    #expect(tags.lowercased().contains("comment=\"lost 488 frames at 0.010667 s, frame 512\""), "\(tags)")
    #expect(folder.names == [name])
  }

  @Test(arguments: ["a.w64", "a.aiff", "a.caf"])
  func `a list beside the file names lost frames in formats without comments`(_ name: String) throws {
    let folder = try Folder()
    try loseFrames(folder, name)
    #expect(folder.names == [name, name + ".gaps.txt"])
    #expect(output(of: "cat", folder[name + ".gaps.txt"]) == "lost 488 frames at 0.010667 s, frame 512")
    #expect(output(of: "soxi", "-s", folder[name]) == "1512")
    // Replacing it by a take without gaps removes the list.
    let sink = TapSink(channelCount: 1), recorder = TakeRecorder(sampleRate: 48000)
    var wanted = try request(folder, name, sink)
    wanted.overwrites = true
    try recorder.start([wanted])
    feed(BlockBackend(sink, inputs: 1), noise(64), 0..<64)
    #expect(recorder.finish(at: 64).map(\.isClean) == [true])
    #expect(folder.names == [name])
  }

  /// Records a take of 1512 frames, of which 488 from 512 on are lost.
  private func loseFrames(_ folder: Folder, _ name: String) throws {
    let sound = noise(4096), sink = TapSink(channelCount: 1, capacity: 1024)
    let recorder = TakeRecorder(sampleRate: 48000)
    try recorder.start([try request(folder, name, sink)])
    let backend = BlockBackend(sink, inputs: 1)
    feed(backend, sound, 0..<512)
    feed(backend, sound, 1000..<1512)
    #expect(recorder.finish(at: 1512).map(\.failure) == [nil])
  }

  @Test func `lost frames are silent, marked and reported`() throws {
    let folder = try Folder()
    let sound = noise(4096)
    for name in ["a.wav", "b.rf64"] {
      let sink = TapSink(channelCount: 1, capacity: 1024)
      let recorder = TakeRecorder(sampleRate: 48000)
      try recorder.start([try request(folder, name, sink)])
      let backend = BlockBackend(sink, inputs: 1)
      feed(backend, sound, 0..<512)
      feed(backend, sound, 1000..<1512)
      sink.stop(at: 1512)
      feed(backend, sound, 1512..<1576)
      let report = try #require(recorder.finish(at: 1512).first)
      #expect(report.gaps == [TakeReport.Gap(frame: 512, count: 488)])
      #expect(report.lostFrames == 488)
      #expect(report.overrunFrames == 0, "they never came")
      #expect(!report.isClean)
      let heard = try AudioFileReader(folder[name]).read(9999)[0]
      let silence = [Float](repeating: 0, count: 488)
      let expected: [Float] = Array(sound[0..<512]) + silence + Array(sound[1000..<1512])
      #expect(heard == expected)
      #expect(cuePoints(folder[name]) == [512])
      #expect(output(of: "soxi", "-s", folder[name]) == "1512")
      // The size in the header includes the marks.
      #expect(try WaveFile(folder[name], writable: false).isConsistent)
    }
  }

  @Test func `a disk that stalls for two seconds causes no loss`() throws {
    let folder = try Folder()
    let sound = noise(48000 * 4)
    let stalls = Atomic(0)
    let recorder = TakeRecorder(
      sampleRate: 48000,
      prepare: { file in
        file.beforeWrite = {
          if stalls.add(1, ordering: .relaxed).newValue == 3 { usleep(2_000_000) }
        }
      })
    let sink = TapSink(channelCount: 1, capacity: 48000 * 4)
    try recorder.start([try request(folder, "a.wav", sink)])
    // In real time: 480 frames every 10 ms.
    feed(BlockBackend(sink, inputs: 1), sound, 0..<48000 * 3, size: 480, pause: 9_500)
    let report = try #require(recorder.finish(at: 48000 * 3, within: .seconds(0.5)).first)
    #expect(stalls.load(ordering: .relaxed) > 3)
    #expect(report.lostFrames == 0)
    #expect(try AudioFileReader(folder["a.wav"]).read(200_000)[0] == Array(sound[..<(48000 * 3)]))
  }
}

/// Returns the frames of a WAV file's cue points, parsed independently.
func cuePoints(_ path: String) -> [Int] {
  guard let data = FileManager.default.contents(atPath: path),
    let cue = data.range(of: Data("cue ".utf8), options: .backwards)
  else { return [] }
  func number(_ offset: Int) -> Int {
    let bytes = data[offset..<offset + 4].reversed()
    return bytes.reduce(0) { $0 * 256 + Int($1) }
  }
  let count = number(cue.upperBound + 4)
  return (0..<count).map { number(cue.upperBound + 8 + $0 * 24 + 20) }
}
