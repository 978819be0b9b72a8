// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import Foundation
import Testing

@testable import Swiftlet

/// Sampler loops of WAV files, compared with the chunk that the test writes.
struct SampleLoopTests {
  private static let ramp = (0..<2000).map { Float($0 + 1) / 4096 }

  /// Returns a file whose `smpl` chunk has loops, each with a type, a first frame and a last frame.
  private func file(
    _ rig: PlayerRig, _ loops: [(type: UInt32, first: UInt32, last: UInt32)], rate: Int = 8000,
    _ samples: [Float] = ramp
  ) throws -> String {
    let path = try rig.file("\(UUID().uuidString).wav", [samples], rate: rate)
    func bytes(_ words: [UInt32]) -> Data {
      Data(words.flatMap { word in (0..<4).map { UInt8(truncatingIfNeeded: word >> (8 * UInt32($0))) } })
    }
    // Manufacturer, product, nanoseconds per frame, note, fine tuning, two SMPTE fields, number of loops, extra bytes.
    let head: [UInt32] = [0, 0, UInt32(1_000_000_000 / rate), 60, 0, 0, 0, UInt32(loops.count), 0]
    let body = head + loops.flatMap { [0, $0.type, $0.first, $0.last, 0, 0] }
    var data = try Data(contentsOf: URL(filePath: path))
    data += Data("smpl".utf8) + bytes([UInt32(4 * body.count)]) + bytes(body)
    data.replaceSubrange(4..<8, with: bytes([UInt32(data.count - 8)]))
    try data.write(to: URL(filePath: path))
    return path
  }

  @Test(arguments: [1, 64, 1000])
  func `a file's loop continues from its last frame to its first`(block: Int) throws {
    let rig = try PlayerRig(), path = try file(rig, [(0, 500, 1299), (0, 10, 20)])
    let item = try rig.player.schedule(.file(path, loop: .init(.times(3), points: .sampleLoop)))
    #expect(rig.player.duration(of: item) == MediaTime(frames: 2000 + 2 * 800, at: 8000))
    try rig.player.play()
    let ramp = Self.ramp, pass = Array(ramp[500..<1300])
    #expect(try rig.render(3600, block: block) == Array(ramp[..<1300]) + pass + pass + Array(ramp[1300...]))
  }

  @Test func `a loop can be played alone as a part, and by an audio player`() throws {
    let rig = try PlayerRig(), path = try file(rig, [(0, 500, 1299)])
    try rig.player.schedule(.file(path, part: .sampleLoop))
    try rig.player.play()
    #expect(try rig.render(900) == Array(Self.ramp[500..<1300]) + [Float](repeating: 0, count: 100))
    let song = try AudioPlayer(path, on: rig.engine, to: rig.output)
    // Its wire fades in.
    _ = try rig.render(200)
    try song.loop(.init(.forever, points: .sampleLoop))
    try song.play()
    let pass = Array(Self.ramp[500..<1300])
    #expect(try rig.render(2900) == Array(Self.ramp[..<1300]) + pass + pass)
    try song.loop(.init(.times(2), points: .sampleLoop))
    #expect(song.isPlaying)
  }

  @Test func `a loop keeps its times at another sample rate`() throws {
    let rig = try PlayerRig(), path = try file(rig, [(0, 500, 1299)], rate: 4000)
    let item = try rig.player.schedule(.file(path, loop: .init(.times(2), points: .sampleLoop)))
    #expect(rig.player.duration(of: item) == MediaTime(frames: 4000 + 1600, at: 8000))
  }

  @Test func `a file without a playable sampler loop is refused with a reason`() throws {
    let rig = try PlayerRig()
    let paths = [
      try rig.file("plain.wav", [Self.ramp]), try rig.file("plain.flac", [Self.ramp]),
      try file(rig, []), try file(rig, [(1, 500, 1299)]), try file(rig, [(2, 500, 1299)]),
      try file(rig, [(0, 500, 2000)]), try file(rig, [(0, 900, 500)]), try file(rig, [(0, .max, .max)]),
    ]
    for path in paths {
      #expect {
        try rig.player.schedule(.file(path, loop: .init(.forever, points: .sampleLoop)))
      } throws: { error in
        guard case .schedule(_, .noSampleLoop) = error as? EngineError else { return false }
        return "\(error)".contains("no forward sampler loop")
      }
      try rig.player.schedule(.file(path))
    }
    #expect(throws: EngineError.self) {
      try rig.player.schedule(.buffer(AudioBuffer([Self.ramp]), loop: .init(.forever, points: .sampleLoop)))
    }
  }
}
