// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import Foundation
import SwiftletFiles
import SwiftletTesting
import Testing

@testable import Swiftlet

/// Seeks into clips of compositions with a changed playback rate. At 8 kHz a fade of 5 ms has 40 frames.
struct CompositionSpeedTests {
  private static let fade = 40

  /// A file on one track, time-scaled to another length.
  private func makeComposition(
    _ rig: PlayerRig, _ samples: [Float], to seconds: Double, keepingPitch: Bool
  ) throws -> Composition {
    let file = AssetReference(try rig.file("sound.wav", [samples]))
    var composition = Composition()
    try composition.add("music")
    let length = MediaTime(frames: Int64(samples.count), at: 8000)
    try composition.insert(.zero..<length, of: file, in: "music")
    try composition.scale(
      .zero..<length, to: .milliseconds(Int(seconds * 1000)), keepingPitch: keepingPitch, in: "music")
    return composition
  }

  private func heard(_ rig: PlayerRig, _ composition: Composition, from start: Int, _ count: Int) throws
    -> [Float]
  {
    let player = try PlayerNode(rig.engine, channels: 1)
    try rig.engine.connect(player, rig.output)
    try player.schedule(.composition(composition))
    try player.seek(to: start)
    try player.play()
    defer { player.clear() }
    return try rig.render(count)
  }

  @Test(arguments: [1.5, 2.35, 4, 9.1, 16])
  func `a seek into a varispeed clip sounds as if it had played from its start`(seconds: Double) throws {
    let rig = try PlayerRig()
    var generator = SeededGenerator(seed: 7)
    // Noise below a quarter of the sample rate. Twice the speed would lose higher frequencies.
    var noise = (0..<32_000).map { _ in Float(generator.below(2001) - 1000) / 4000 }
    for index in noise.indices.dropFirst() { noise[index] = noise[index] * 0.2 + noise[index - 1] * 0.8 }
    let composition = try makeComposition(rig, noise, to: seconds, keepingPitch: false)
    let length = Int(composition.duration.frames(at: 8000))
    let whole = try heard(rig, composition, from: 0, length)
    var worst: Float = 0
    for start in [100, length / 3, length / 2 + 77, length - 2000] {
      let part = try heard(rig, composition, from: start, 1000)
      for frame in Self.fade..<1000 { worst = max(worst, abs(part[frame] - whole[start + frame])) }
    }
    #expect(worst < 1e-3)
  }

  @Test(arguments: [1.2, 2, 3.1, 6, 12])
  func `a seek into a clip that keeps its pitch reaches the same position of the file`(
    seconds: Double
  ) throws {
    let rig = try PlayerRig()
    // A sine that rises by 100 Hz per second from 200 Hz: its frequency identifies the second of the file.
    let chirp = (0..<32_000).map { frame in
      let time = Double(frame) / 8000, cycles = 200 * time + 50 * time * time
      return Float(0.5 * sin(2 * Double.pi * cycles))
    }
    let composition = try makeComposition(rig, chirp, to: seconds, keepingPitch: true)
    let length = Int(composition.duration.frames(at: 8000)), speed = 4 / seconds
    for part in 1..<8 {
      let start = length * part / 10
      let heard = try self.heard(rig, composition, from: start, 840)[Self.fade...]
      var rises: [Double] = []
      for index in heard.indices.dropLast() where heard[index] < 0 && heard[index + 1] >= 0 {
        rises.append(Double(index) + Double(heard[index] / (heard[index] - heard[index + 1])))
      }
      let first = try #require(rises.first), last = try #require(rises.last)
      let frequency = Double(rises.count - 1) * 8000 / (last - first)
      let middle: Double = Double(start) + (first + last) / 2
      // Repetitions and omissions of the algorithm shift the position in the file by about 50 ms.
      let second: Double = middle / 8000 * speed
      let difference: Double = abs(frequency - 200 - 100 * second)
      #expect(difference < 6, "at \(second) s")
    }
  }
}
