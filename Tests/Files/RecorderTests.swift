// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import Foundation
import SwiftletGraph
import SwiftletSignal
import Testing

@testable import SwiftletFiles

@Suite struct RecorderTests {
  private let origin = TakeOrigin("vocal: dry", date: Date(timeIntervalSince1970: 1_770_000_000))

  func request(
    _ folder: Folder, _ name: String, _ sink: TapSink, format: String? = nil, from frame: Int64? = 0
  ) throws -> TakeRecorder.Request {
    try TakeRecorder.Request(
      tap: "dry", sink: sink, path: folder[name], format: RecordingFormat(path: folder[name], named: format),
      startFrame: frame, origin: origin)
  }

  /// Records two taps, "dry" and "wet".
  private func dryAndWet(_ folder: Folder) throws -> (recorder: TakeRecorder, sinks: [TapSink]) {
    let sinks = [TapSink(channelCount: 1), TapSink(channelCount: 1)]
    let recorder = TakeRecorder(sampleRate: 48000)
    var wet = try request(folder, "b.wav", sinks[1])
    wet.tap = "wet"
    try recorder.start([try request(folder, "a.wav", sinks[0]), wet])
    return (recorder, sinks)
  }

  /// Feeds a tap with a range of `sound`, in blocks of `size` frames.
  func feed(
    _ backend: BlockBackend, _ sound: [Float], _ range: Range<Int>, size: Int = 64, pause: UInt32 = 0
  ) {
    for start in stride(from: range.lowerBound, to: range.upperBound, by: size) {
      let count = min(size, range.upperBound - start)
      backend.run(frame: Int64(start), count: count, [Array(sound[start..<start + count])])
      if pause > 0 { usleep(pause) }
    }
  }

  @Test(arguments: ["a.wav", "a.rf64", "a.w64", "a.flac", "a.aiff", "a.caf", "a.opus", "a.ogg", "a.mp3"])
  func `a take has its sound from the first frame to the last, and no other file remains`(
    _ name: String
  ) throws {
    let folder = try Folder()
    let sound = noise(48_000)
    let sink = TapSink(channelCount: 1)
    let recorder = TakeRecorder(sampleRate: 48000)
    try recorder.start([try request(folder, name, sink, from: 100)])
    let backend = BlockBackend(sink, inputs: 1)
    feed(backend, sound, 0..<48_000)
    // Offline no block follows the last one, and the take is complete nevertheless.
    let report = try #require(recorder.finish(at: 48_000).first)
    #expect(report.failure == nil)
    #expect(report.isClean)
    #expect(abs(report.peak - Decibels.meter(sound[100..<48_000].map(abs).max() ?? 0)) < 1e-4)
    let isLossless = !["a.opus", "a.ogg", "a.mp3"].contains(name)
    if isLossless {
      let heard = try AudioFileReader(folder[name]).read(60_000)[0]
      #expect(heard == Array(sound[100..<48_000]))
      #expect(report.frameCount == heard.count)
    } else {
      #expect(abs(try AudioFileReader(folder[name]).info.frameCount - report.frameCount) < 4000)
    }
    #expect(folder.names == [name])
  }

  @Test func `a take stores its time and date`() throws {
    let folder = try Folder()
    let sink = TapSink(channelCount: 1)
    let recorder = TakeRecorder(sampleRate: 48000)
    var wanted = try request(folder, "a.wav", sink)
    wanted.origin.timeReference = 5_000_000_000
    try recorder.start([wanted])
    feed(BlockBackend(sink, inputs: 1), noise(64), 0..<64)
    _ = recorder.finish(within: .seconds(0.1))
    let tags = try #require(
      output(
        of: "ffprobe", "-v", "error", "-show_entries", "format_tags", "-of", "default=nw=1", folder["a.wav"]))
    #expect(tags.contains("TAG:time_reference=5000000000"))
    #expect(tags.contains("TAG:originator=Swiftlet") || tags.contains("TAG:encoded_by=Swiftlet"))
    #expect(tags.contains("TAG:date=\(TakeOrigin.texts(of: origin.date).date)"))
    #expect(tags.contains("vocal: dry"))
  }

  @Test(arguments: ["a.wav", "a.rf64"], [nil, 7_654_321_000])
  func `a broadcast extension has description, originator, date and time reference`(
    _ name: String, _ reference: Int?
  ) throws {
    let folder = try Folder()
    let sink = TapSink(channelCount: 1)
    let recorder = TakeRecorder(sampleRate: 44100)
    var wanted = try request(folder, name, sink)
    // Half a second after the full second: the reference is finer than the time.
    wanted.origin = TakeOrigin(
      "vocal: dry", date: Date(timeIntervalSince1970: 1_770_000_000.5), timeReference: reference)
    try recorder.start([wanted])
    feed(BlockBackend(sink, inputs: 1), noise(64), 0..<64)
    _ = recorder.finish(within: .seconds(0.1))
    let bext = try #require(chunk("bext", of: folder[name]))
    func text(_ offset: Int, _ count: Int) -> String {
      String(decoding: bext[offset..<offset + count].prefix { $0 != 0 }, as: UTF8.self)
    }
    // EBU Tech 3285: the fields and their offsets.
    #expect(bext.count >= 602)
    #expect(text(0, 256) == "vocal: dry")
    #expect(text(256, 32) == "Swiftlet")
    var (instant, local, formatted) = (time_t(1_770_000_000), tm(), [CChar](repeating: 0, count: 32))
    localtime_r(&instant, &local)
    strftime(&formatted, 32, "%Y-%m-%d%H:%M:%S", &local)
    #expect(text(320, 18) == formatted.prefix { $0 != 0 }.map { String(UnicodeScalar(UInt8($0))) }.joined())
    let midnight = Int(local.tm_hour) * 3600 + Int(local.tm_min) * 60 + Int(local.tm_sec)
    let frames = bext[338..<346].reversed().reduce(0) { $0 << 8 | Int($1) }
    #expect(frames == reference ?? midnight * 44100 + 22050)
    #expect(bext[346..<348].elementsEqual([2, 0]), "version 2")
    #expect(bext[348..<412].allSatisfy { $0 == 0 }, "no UMID")
    #expect(
      stride(from: 412, to: 422, by: 2).allSatisfy { bext[$0] == 0xFF && bext[$0 + 1] == 0x7F }, "no loudness"
    )
    #expect(bext[422..<602].allSatisfy { $0 == 0 }, "nothing in what is reserved")
  }

  /// Returns a chunk of a WAV or RF64 file, found by walking over the preceding ones.
  private func chunk(_ name: String, of path: String) -> [UInt8]? {
    guard let data = FileManager.default.contents(atPath: path) else { return nil }
    let bytes = [UInt8](data)
    var offset = 12
    while offset + 8 <= bytes.count {
      let size = bytes[offset + 4..<offset + 8].reversed().reduce(0) { $0 << 8 | Int($1) }
      if bytes[offset..<offset + 4].elementsEqual(name.utf8) {
        return Array(bytes[offset + 8..<offset + 8 + size])
      }
      offset += 8 + size + size % 2
    }
    return nil
  }

  @Test func `if one file cannot be made, none is`() throws {
    let folder = try Folder()
    _ = try folder.write("b.wav", Data("mine".utf8))
    let recorder = TakeRecorder(sampleRate: 48000)
    let sinks = [TapSink(channelCount: 1), TapSink(channelCount: 1)]
    #expect {
      try recorder.start([try request(folder, "a.wav", sinks[0]), try request(folder, "b.wav", sinks[1])])
    } throws: { ($0 as? FileError)?.kind == .exists }
    #expect(folder.names == ["b.wav"])
    #expect(try Data(contentsOf: URL(fileURLWithPath: folder["b.wav"])) == Data("mine".utf8))
    #expect(!sinks[0].isRecording)
    #expect(recorder.finish().isEmpty)
  }

  @Test(arguments: ["a.wav", "a.flac"])
  func `a take replaces a file when it is complete, and not before`(_ name: String) throws {
    let folder = try Folder()
    _ = try folder.write(name, Data("old".utf8))
    let recorder = TakeRecorder(sampleRate: 48000)
    let sinks = [TapSink(channelCount: 1), TapSink(channelCount: 1)]
    var wanted = try request(folder, name, sinks[0])
    wanted.overwrites = true
    let impossible = try request(folder, name + "/b.wav", sinks[1])
    #expect(throws: FileError.self) { try recorder.start([wanted, impossible]) }
    #expect(try Data(contentsOf: URL(fileURLWithPath: folder[name])) == Data("old".utf8))
    #expect(folder.names == [name])
    try recorder.start([wanted])
    feed(BlockBackend(sinks[0], inputs: 1), noise(640), 0..<640)
    #expect(try Data(contentsOf: URL(fileURLWithPath: folder[name])) == Data("old".utf8))
    #expect(recorder.finish(at: 640).map(\.failure) == [nil])
    #expect(try AudioFileReader(folder[name]).info.frameCount == 640)
    #expect(folder.names == [name])
  }

  @Test func `a take ends early and reports it if sound stops arriving`() throws {
    let folder = try Folder()
    let sink = TapSink(channelCount: 1)
    let recorder = TakeRecorder(sampleRate: 48000)
    try recorder.start([try request(folder, "a.flac", sink, format: "16-bit")])
    let sound = noise(6400, bits: 16)
    feed(BlockBackend(sink, inputs: 1), sound, 0..<6400)
    let report = try #require(recorder.finish(at: 9000, within: .seconds(0.1)).first)
    #expect(report.failure == "ended early: no more sound arrived")
    #expect(try AudioFileReader(folder["a.flac"]).read(9999)[0] == sound)
  }

  @Test func `a take ends at its own end frame, although all others are to end at once`() throws {
    let folder = try Folder(), (recorder, sinks) = try dryAndWet(folder)
    let backends = sinks.map { BlockBackend($0, inputs: 1) }
    for backend in backends { feed(backend, noise(640), 0..<640) }
    recorder.stop(taps: ["dry"], at: 700)
    // The audio thread continues while the recorder waits for it.
    let running = Thread { [sound = noise(6400)] in
      usleep(50_000)
      for backend in backends { backend.run(frame: 640, count: 640, [sound]) }
    }
    running.start()
    let reports = recorder.finish(within: .seconds(1))
    #expect(reports.map(\.failure) == [nil, nil])
    #expect(
      Dictionary(uniqueKeysWithValues: reports.map { ($0.tap, $0.frameCount) }) == ["dry": 700, "wet": 640])
    #expect(folder.names.sorted() == ["a.wav", "b.wav"])
  }

  @Test func `reports are in the order in which the takes began`() throws {
    let folder = try Folder(), (recorder, sinks) = try dryAndWet(folder)
    recorder.stop(taps: ["wet"], at: 320)
    for sink in sinks { feed(BlockBackend(sink, inputs: 1), noise(640), 0..<640) }
    try #require(comesTrue { recorder.status.count == 1 })
    #expect(recorder.finish(at: 640).map(\.tap) == ["dry", "wet"])
    #expect(folder.names.sorted() == ["a.wav", "b.wav"])
  }

  @Test func `a thread can wait until takes are written, and until they are over`() throws {
    let folder = try Folder(), (recorder, sinks) = try dryAndWet(folder)
    #expect(!recorder.wait(within: .milliseconds(1)) { $0.isEmpty })
    let backends = sinks.map { BlockBackend($0, inputs: 1) }
    for backend in backends { feed(backend, noise(6400), 0..<6400) }
    #expect(recorder.wait(within: nil) { $0.allSatisfy { $0.frameCount >= 4096 } })
    recorder.stop(at: 6400)
    for backend in backends { backend.run(frame: 6400, count: 64, [noise(64)]) }
    #expect(recorder.wait(within: nil) { $0.isEmpty })
    #expect(recorder.finish().map(\.frameCount) == [6400, 6400])
    // Without takes the writer sleeps until the next ones.
    #expect(recorder.wait(within: nil) { $0.isEmpty })
    try recorder.start([try request(folder, "c.wav", sinks[0], from: 6464)])
    backends[0].run(frame: 6464, count: 64, [noise(64)])
    #expect(recorder.finish(at: 6528).map(\.frameCount) == [64])
  }

  @Test func `takes end where the sound ends`() throws {
    let folder = try Folder()
    let sink = TapSink(channelCount: 1)
    let recorder = TakeRecorder(sampleRate: 48000)
    try recorder.start([try request(folder, "a.wav", sink)])
    feed(BlockBackend(sink, inputs: 1), noise(640), 0..<640)
    recorder.stop(at: 700)
    let report = try #require(recorder.finish(within: .zero).first)
    #expect(report.failure == nil)
    #expect(report.frameCount == 640)
  }

  @Test func `the remaining recording time follows from the takes' formats`() throws {
    let folder = try Folder()
    let recorder = TakeRecorder(sampleRate: 48000)
    #expect(recorder.remainingTime == nil)
    let sinks = [TapSink(channelCount: 2), TapSink(channelCount: 2)]
    try recorder.start([try request(folder, "a.wav", sinks[0]), try request(folder, "b.wav", sinks[1])])
    var space = statvfs()
    statvfs(folder.path, &space)
    let expected = Double(space.f_bavail) * Double(space.f_frsize) / Double(2 * 2 * 4 * 48000)
    let remaining = try #require(recorder.remainingTime)
    #expect(abs(remaining / .seconds(expected) - 1) < 0.05)
    #expect(recorder.status.map(\.path) == [folder["a.wav"], folder["b.wav"]])
    _ = recorder.finish(within: .zero)
  }

  @Test func `many simultaneous taps lose nothing`() throws {
    let folder = try Folder()
    let recorder = TakeRecorder(sampleRate: 48000)
    let sinks = (0..<32).map { _ in TapSink(channelCount: 1) }
    try recorder.start(
      try sinks.enumerated().map { try request(folder, "t\($0.offset).wav", $0.element, format: "24-bit") })
    let backends = sinks.map { BlockBackend($0, inputs: 1) }
    let sound = noise(64)
    // Two seconds in real time, in blocks of 64.
    let clock = ContinuousClock()
    let start = clock.now
    for block in 0..<1500 {
      for backend in backends { backend.run(frame: Int64(block * 64), count: 64, [sound]) }
      while clock.now - start < .microseconds(block * 1333) { usleep(200) }
    }
    let reports = recorder.finish(at: 96_000, within: .seconds(0.5))
    #expect(reports.count == 32)
    #expect(reports.allSatisfy { $0.lostFrames == 0 && $0.frameCount == 96_000 })
  }
}
