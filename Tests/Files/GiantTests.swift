// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import Foundation
import SwiftletDisk
import Testing

@testable import SwiftletFiles

/// Sparse files of 30 GB, whose silence takes no disk space.
@Suite struct GiantTests {
  private static let bytes = 30_000_000_000

  @Test func `a file of 30 GB is read at its end`() throws {
    let folder = try Folder()
    let path = folder["a.rf64"]
    let frames = GiantTests.bytes / 6
    let (sound, ending) = ([noise(5000), noise(5000, seed: 2)], [noise(700, seed: 3), noise(700, seed: 4)])
    try Sparse.write(path, frames: frames, sound: sound, ending: ending)
    let reader = try AudioFileReader(path)
    #expect(reader.info.frameCount == frames)
    #expect(try reader.read(5001).map { Array($0.prefix(5000)) } == sound)
    try reader.seek(to: frames - 800)
    let heard = try reader.read(1000)
    #expect(heard.map { Array($0.suffix(700)) } == ending)
    #expect(heard[0].count == 800 && heard[0].prefix(100).allSatisfy { $0 == 0 })
    // Past 2³² frames and bytes, at another rate: all counts are wide enough.
    let converting = try ConvertingReader(path, sampleRate: 96_000)
    #expect(converting.length == 2 * frames)
    try converting.seek(to: 2 * frames - 500)
    #expect(rms(try converting.read(600)[0]) > 0.2)
    guard isInstalled("ffprobe") else { return }
    let shown = output(
      of: "ffprobe", "-v", "error", "-show_entries", "stream=duration_ts", "-of", "csv=p=0", path)
    #expect(shown == "\(frames)")
  }

  @Test(arguments: [AudioContainer.rf64, .wav])
  func `a file of 30 GB is written to its end`(_ container: AudioContainer) throws {
    let folder = try Folder()
    let path = folder["a.\(container.rawValue)"]
    // Few frames of many channels: one kilobyte each.
    let (width, batch) = (128, 65_536)
    let sink = try FileSink(path, .named)
    sink.leavesHoles = true
    let encoder = try SndFileEncoder(
      sink: sink, format: RecordingFormat(container: container, encoding: .float64), rate: 48_000,
      channelCount: width, origin: nil, comment: nil)
    let frames = GiantTests.bytes / (8 * width), silence = [Float](repeating: 0, count: batch * width)
    let ending = noise(10 * width)
    for start in stride(from: 0, to: frames - 10, by: batch) {
      try encoder.write(silence, count: min(batch, frames - 10 - start))
    }
    try encoder.write(ending, count: 10)
    try encoder.finish()
    let reader = try AudioFileReader(path)
    #expect(reader.info.frameCount == frames && reader.info.channelCount == width)
    try reader.seek(to: frames - 11)
    let heard = try reader.read(100)
    #expect(heard.count == width && heard.allSatisfy { $0.count == 11 && $0[0] == 0 })
    for channel in 0..<min(width, heard.count) {
      #expect(Array(heard[channel].dropFirst()) == (0..<10).map { ending[$0 * width + channel] })
    }
    #expect(try WaveFile(path, writable: false).isConsistent)
    if isInstalled("soxi") || isInstalled("ffprobe") {
      let shown = output(
        of: "ffprobe", "-v", "error", "-show_entries", "stream=duration_ts,channels", "-of", "csv=p=0", path)
      #expect(shown == "\(width),\(frames)")
    }
  }
}
