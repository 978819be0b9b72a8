// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import Foundation
import Swiftlet
import SwiftletFiles
import Synchronization
import Testing

/// The transport moved by a third-party program, JACK's own `jack_transport`.
extension LiveTests {
  /// Sends commands to `jack_transport`, and waits until it has processed them.
  private func transport(_ commands: String...) throws {
    let process = Process(), words = Pipe()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = ["jack_transport"]
    process.environment = ProcessInfo.processInfo.environment.merging(
      ["JACK_DEFAULT_SERVER": server.name, "TERM": "dumb"]) { $1 }
    process.standardInput = words
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    try process.run()
    words.fileHandleForWriting.write(Data((commands + ["exit", ""]).joined(separator: "\n").utf8))
    try words.fileHandleForWriting.close()
    process.waitUntilExit()
    #expect(process.terminationStatus == 0, "jack_transport \(commands)")
  }

  /// The sound while the transport rolled, by node: frames of the transport with their samples, without the fade-in
  /// of 5 ms, and the frame at which each run began.
  private final class SampleLog: Sendable {
    struct Recording: Sendable {
      var starts: [Int64] = [], samples: [(frame: Int64, value: Float)] = []
      var next: Int64?, start: Int64 = 0
    }
    let heard = Mutex(Recording())

    func add(_ block: Block) {
      let transport = block.transport, input = block.input()[0]
      heard.withLock { heard in
        guard transport.isRolling else { return heard.next = nil }
        if heard.next != transport.position {
          heard.start = transport.position
          heard.starts.append(transport.position)
        }
        heard.next = transport.position + Int64(input.count)
        for offset in 0..<input.count where transport.position + Int64(offset) > heard.start + 241 {
          heard.samples.append((transport.position + Int64(offset), input[offset]))
        }
      }
    }
  }

  //   track ──► ear, loop ──► ear, slow ──► ear: each sample identifies its frame in the file
  @Test func `tracks and players follow jack_transport, in loops and at other playback rates`() async throws {
    let folder = FileManager.default.temporaryDirectory.path + "/swiftlet-" + UUID().uuidString
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    func ramp(_ name: String, _ count: Int) throws -> String {
      let path = folder + "/" + name
      let writer = try AudioFileWriter(
        path, format: RecordingFormat(path: path, named: "32-float"), sampleRate: 48_000, channelCount: 1)
      try writer.write([(0..<count).map { Float($0 + 1) / 1_048_576 }])
      try writer.close()
      return path
    }
    let long = try ramp("long.wav", 480_000), short = try ramp("short.wav", 20_000)
    let engine = try AudioEngine(.jack(name: "led", server: server.name))
    let segment = try Segment(
      of: AssetReference(long), .zero..<(.seconds(10)), at: .zero..<(.seconds(10)))
    let kinds: [NodeKind] = [
      .track(Track("track", segments: [segment])), .player(short, loop: .forever),
      .player(long, stretch: Stretch(varispeed: 0.5)),
    ]
    let logs = kinds.map { _ in SampleLog() }
    for (kind, log) in zip(kinds, logs) {
      let sink = try engine.attach(.sink(channels: 1) { log.add($0) })
      try engine.connect(engine.attach(kind), sink)
    }
    try engine.setTransportRole(.follow)
    try engine.start()
    try await Task.sleep(for: .milliseconds(200))
    for start in [96_000, 31_234, 7] {
      try transport("stop", "locate \(start)", "play")
      try await Task.sleep(for: .milliseconds(500))
      #expect(engine.transport.isRolling)
    }
    // Relocated while rolling, then stopped.
    try transport("locate 240000")
    try await Task.sleep(for: .milliseconds(500))
    try transport("stop")
    try await Task.sleep(for: .milliseconds(100))
    #expect(!engine.transport.isRolling)
    engine.close()

    let heard = logs.map { $0.heard.withLock { $0 } }
    for record in heard {
      #expect(record.starts == [96_000, 31_234, 7, 240_000])
      #expect(record.samples.count > 40_000, "\(record.samples.count) frames were heard")
    }
    func wrong(_ index: Int, _ isRight: (Int64, Float) -> Bool) -> [(frame: Int64, value: Float)] {
      heard[index].samples.filter { $0.value != 0 && !isRight($0.frame, $0.value) }
    }
    let track = wrong(0) { $1 == Float($0 + 1) / 1_048_576 }
    let loop = wrong(1) { $1 == Float($0 % 20_000 + 1) / 1_048_576 }
    // Half as fast: within three frames of the file, once the resampler is filled.
    let slow = wrong(2) { frame, value in abs(Double(value) * 1_048_576 - Double(frame) / 2 - 1) < 3 }
    #expect(track.isEmpty, "\(track.count): \(track.prefix(3))")
    #expect(loop.isEmpty, "\(loop.count): \(loop.prefix(3))")
    #expect(slow.isEmpty, "\(slow.count): \(slow.prefix(3))")
    for record in heard { #expect(record.samples.filter { $0.value == 0 }.count < record.samples.count / 2) }
  }
}
