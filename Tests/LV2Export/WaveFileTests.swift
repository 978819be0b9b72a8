// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import Foundation
import SwiftletSignal
import Testing

@testable import SwiftletLV2Export

/// Reading of WAV files in exported plugins, and conversion to another sample rate.
struct WaveFileTests {
  private func read(_ bytes: [UInt8]) -> Sound? {
    // A separate allocation, so that sanitizers find reads past the end.
    let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: bytes.count, alignment: 1)
    defer { memory.deallocate() }
    memory.copyBytes(from: bytes)
    var file = WaveFile(UnsafeRawBufferPointer(memory))
    return file.sound()
  }

  @Test(arguments: WaveBytes.Kind.allCases) func `every sample format is read`(kind: WaveBytes.Kind) throws {
    let channels = (1...3).map { noise(101, seed: UInt32($0)) + [-1] }
    for flags in 0..<8 {
      let file = WaveBytes(
        kind: kind, rate: 44_100, isExtended: flags & 1 > 0, isLong: flags & 2 > 0, hasOthers: flags & 4 > 0)
      let sound = try #require(read(file(channels)))
      #expect(sound.recordedRate == 44_100 && sound.frameCount == 102 && sound.channels.count == 3)
      let step: Float = kind == .bits8 ? 1 / 128 : kind == .bits16 ? 1 / 32_768 : 1e-6
      for (one, other) in zip(sound.channels, channels) {
        for (heard, written) in zip(one, other) { #expect(abs(heard - written) <= step) }
        if kind == .float32 || kind == .float64 { #expect(one == other) }
      }
    }
  }

  @Test func `a truncated file yields the samples that remain, and non-finite samples are silence`() throws {
    let whole = WaveBytes()([[0.5, .nan, .infinity, -1e30, 0.25, 1]])
    #expect(read(whole)?.channels == [[0.5, 0, 0, 0, 0.25, 1]])
    #expect(read(Array(whole.dropLast(6)))?.channels == [[0.5, 0, 0, 0]])
    #expect(read(Array(whole.prefix(44))) == nil && read([]) == nil)
  }

  @Test func `a thousand damaged files are refused or yield finite samples`() {
    var state: UInt64 = 1
    func random(_ count: Int) -> Int {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int(state >> 33) % count
    }
    let channels = [noise(40), noise(40, seed: 2)]
    var readable = 0
    for number in 0..<1000 {
      let kinds = WaveBytes.Kind.allCases
      let file = WaveBytes(
        kind: kinds[number % kinds.count], isExtended: random(2) == 1, isLong: random(2) == 1,
        hasOthers: random(2) == 1)
      var bytes = file(channels)
      if number % 3 == 0 { bytes.removeLast(random(bytes.count)) }
      for _ in 0..<random(6) where !bytes.isEmpty {
        // Most header fields are at the beginning.
        bytes[random(random(2) == 0 ? bytes.count : min(bytes.count, 120))] ^= 1 << UInt8(random(8))
      }
      if random(8) == 0, bytes.count > 60 {
        let offset = random(60)
        for byte in offset..<offset + 4 { bytes[byte] = 0xFF }
      }
      guard let sound = read(bytes) else { continue }
      readable += 1
      let samples = sound.frameCount * sound.channels.count
      #expect(samples > 0 && samples <= bytes.count)
      #expect(sound.channels.allSatisfy { $0.allSatisfy(\.isFinite) })
    }
    #expect(readable > 200 && readable < 900)
  }

  @Test func `folders, devices, pipes and missing files are not read`() throws {
    func read(_ path: String) -> Sound? { WaveFile.read(path.utf8.map { CChar(bitPattern: $0) } + [0]) }
    let folder = FileManager.default.temporaryDirectory.path
    #expect(read(folder) == nil && read(folder + "/is-not-there.wav") == nil && read("/dev/zero") == nil)
    let pipe = folder + "/swiftlet-\(UUID().uuidString)"
    #expect(mkfifo(pipe, 0o600) == 0)
    defer { unlink(pipe) }
    #expect(read(pipe) == nil)
  }

  @Test(arguments: [
    (44_100.0, 48_000.0), (96_000, 48_000), (48_000, 96_000), (48_000, 44_100), (22_050, 192_000),
  ])
  func `rate conversion keeps what both rates can represent, and no more`(from: Double, to: Double) throws {
    let lower = min(from, to), count = Int(from / 4)
    for share in [0.001, 0.1, 0.3, 0.45] {
      let omega = 2 * Double.pi * share * lower
      let sine = (0..<count).map { Float(0.5 * sin(omega * Double($0) / from)) }
      let heard = try #require(RateConversion.convert(Sound(channels: [sine], recordedRate: from), to: to))
      #expect(heard.recordedRate == from && heard.frameCount == Int((Double(count - 1) / from * to)) + 1)
      var worst = 0.0
      // Away from the ends, where the sine starts and stops.
      for frame in Int(to / 16)..<Int(to * 3 / 16) {
        worst = max(worst, abs(Double(heard.channels[0][frame]) - 0.5 * sin(omega * Double(frame) / to)))
      }
      #expect(worst < 0.5e-5, "\(share)")
    }
    guard from > to else { return }
    let omega = 2 * Double.pi * (to / 2 + 0.25 * (from - to))
    let high = (0..<count).map { Float(0.5 * sin(omega * Double($0) / from)) }
    let heard = try #require(RateConversion.convert(Sound(channels: [high], recordedRate: from), to: to))
    let middle = heard.channels[0][Int(to / 16)..<Int(to * 3 / 16)]
    // The transition band of the window is excluded: only frequencies well above it are required to be removed.
    if from >= 2 * to { #expect(middle.allSatisfy { abs($0) < 0.5e-5 }) }
  }

  @Test func `a sound at the target rate is unchanged, and one that would be too long is refused`() {
    let sound = Sound(channels: [noise(100)], recordedRate: 48_000)
    #expect(RateConversion.convert(sound, to: 48_000) == sound)
    let long = Sound(channels: [[Float](repeating: 0, count: 200_000)], recordedRate: 1000)
    #expect(RateConversion.convert(long, to: 1_000_000) == nil)
  }
}
