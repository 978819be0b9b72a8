// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import Foundation
import Swiftlet
import SwiftletFiles
import SwiftletGraph
import Testing

/// Strips, lanes and track mixes use one pan formula.
final class PanLawTests {
  private static let rate = 8000
  private let folder = FileManager.default.temporaryDirectory.path + "/swiftlet-" + UUID().uuidString

  /// One second of a file with the levels 0.25, 0.5, 0.75 and 1 on the left, and half of that on the right if stereo.
  init() throws {
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    for width in 1...2 {
      let path = self.path(width)
      let writer = try AudioFileWriter(
        path, format: RecordingFormat(path: path, named: "32-float"), sampleRate: Double(Self.rate),
        channelCount: width)
      try writer.write((0..<width).map { channel in Self.samples.map { $0 / Float(channel + 1) } })
      try writer.close()
    }
  }

  deinit { try? FileManager.default.removeItem(atPath: folder) }

  private static let samples = (0..<rate).map { Float($0 % 4 + 1) / 4 }
  private func path(_ width: Int) -> String { "\(folder)/\(width).wav" }

  /// Where a pan is set.
  enum Target: CaseIterable { case strip, lane, track }

  private func render(
    _ target: Target, _ pan: Automation, _ law: PanLaw, width: Int, frames: Int, block: Int = 64
  ) throws -> [[Float]] {
    let engine = try AudioEngine(.offline(sampleRate: Double(Self.rate), longestBlock: 1024))
    let output = try engine.attach(.playback(channels: 2))
    switch target {
    case .strip:
      let music = try engine.attach(.player(path(width)))
      try engine.connect(
        Graph.Wire(from: Endpoint(music.id), to: Endpoint(output.id), pan: pan.value(at: .zero), panLaw: law))
    case .lane:
      let music = try engine.attach(.player(path(width)))
      // The strip's pan has the value at which the lane starts.
      let wire = try engine.connect(
        Graph.Wire(from: Endpoint(music.id), to: Endpoint(output.id), pan: 1, panLaw: law))
      try wire.automate(.pan, with: pan)
    case .track:
      var mix = TrackMix()
      (mix.pan, mix.panLaw) = (pan, law)
      let segment = try Segment(
        of: AssetReference(path(width)), .zero..<(.seconds(1)), at: .zero..<(.seconds(1)))
      let music = try engine.attach(.track(Track("music", segments: [segment]), mix: mix))
      try engine.connect(music, output)
    }
    var heard: [[Float]] = [[], []]
    while heard[0].count < frames {
      let rendered = try #require(try engine.render(min(block, frames - heard[0].count))[output])
      for channel in 0..<2 { heard[channel] += rendered[channel] }
    }
    return heard
  }

  @Test(arguments: Target.allCases, PanLaw.allCases)
  func `a pan to one side leaves digital silence on the other`(target: Target, law: PanLaw) throws {
    for width in 1...2 {
      for side in [-1, 1] as [Float] {
        let heard = try render(target, Automation(side), law, width: width, frames: 512)
        #expect(heard[side < 0 ? 1 : 0][256...].allSatisfy { $0 == 0 }, "\(width) channels at \(side)")
        #expect(heard[side < 0 ? 0 : 1][256...].contains { $0 != 0 })
      }
    }
  }

  /// Returns the factors of both sides, from the laws' definitions.
  private func factors(_ law: PanLaw, _ x: Double, width: Int) -> [Double] {
    func share(_ position: Double) -> Double {
      let sine = sin(.pi / 4 * (1 + position))
      return switch law {
      case .constantPower: sine
      case .compromise: pow(max(sine, 0), 1.5)
      case .linear: (1 + position) / 2
      case .balance: position < 0 ? cos(.pi / 2 * position) : 1
      }
    }
    return [-x, x].map { width == 1 ? share($0) : $0 < 0 ? share($0) / share(0) : 1 }
  }

  private func still(_ x: Double) throws -> Automation {
    var pan = Automation(0)
    try pan.set(Float(x), at: .zero)
    return pan
  }

  @Test(arguments: PanLaw.allCases, 1...2)
  func `strip, lane and track give the same samples, which match the formula`(
    law: PanLaw, width: Int
  ) throws {
    for x in [-1, -0.75, -0.3, 0, 0.1, 0.5, 1] {
      let heard = try Target.allCases.map { try render($0, still(x), law, width: width, frames: 300) }
      #expect(heard[0] == heard[1] && heard[0] == heard[2], "\(law) at \(x)")
      let wanted = factors(law, x, width: width)
      for channel in 0..<2 {
        for frame in 0..<300 {
          let sample = Double(Self.samples[frame]) / (width == 2 && channel == 1 ? 2 : 1)
          guard abs(Double(heard[0][channel][frame]) - sample * wanted[channel]) < 1e-6 else {
            Issue.record("\(heard[0][channel][frame]) at \(x), not \(sample * wanted[channel])")
            break
          }
        }
      }
      let sides = (Double(heard[1][0][3]), Double(heard[1][1][3]))
      if width == 1, law == .constantPower { #expect(abs(sides.0 * sides.0 + sides.1 * sides.1 - 1) < 1e-6) }
      if width == 1, law == .linear { #expect(abs(sides.0 + sides.1 - 1) < 1e-6) }
    }
  }

  @Test(arguments: [(PanLaw.constantPower, -3.01), (.compromise, -4.52), (.linear, -6.02), (.balance, 0)])
  func `at the centre a mono sound is attenuated by the law's name, a stereo sound not at all`(
    law: PanLaw, decibels: Double
  ) throws {
    for target in Target.allCases {
      let mono = try render(target, still(0), law, width: 1, frames: 100)
      #expect(abs(20 * log10(Double(mono[0][3])) - decibels) < 0.01 && mono[0] == mono[1])
      let wide = try render(target, still(0), law, width: 2, frames: 100)
      #expect(wide[0] == Array(Self.samples[..<100]) && wide[1] == Self.samples[..<100].map { $0 / 2 })
    }
  }

  @Test(arguments: PanLaw.allCases, 1...2)
  func `a moving pan has the value of a static one on every frame`(law: PanLaw, width: Int) throws {
    var pan = Automation(-1)
    try pan.ramp(to: 1, in: .milliseconds(100)..<(.milliseconds(400)), curve: .sCurve)
    let lane = try render(.lane, pan, law, width: width, frames: 4000)
    for block in [1, 64, 1000] {
      #expect(try render(.track, pan, law, width: width, frames: 4000, block: block) == lane)
      #expect(try render(.lane, pan, law, width: width, frames: 4000, block: block) == lane)
    }
    for frame in stride(from: 0, to: 4000, by: 7) {
      let x = Double(pan.value(at: MediaTime(frames: Int64(frame), at: Double(Self.rate))))
      let wanted = factors(law, x, width: width)
      for channel in 0..<2 {
        let sample = Double(Self.samples[frame]) / (width == 2 && channel == 1 ? 2 : 1)
        guard abs(Double(lane[channel][frame]) - sample * wanted[channel]) < 2e-6 else {
          Issue.record("\(lane[channel][frame]) at \(x), not \(sample * wanted[channel])")
          return
        }
      }
    }
  }

  @Test func `a node's lane shifts the balance by its law, and a mix brings its own law`() throws {
    for (isMix, law) in [(false, PanLaw.linear), (true, .compromise)] {
      let engine = try AudioEngine(.offline(sampleRate: Double(Self.rate), longestBlock: 1024))
      let music = try engine.attach(.player(path(2)), name: "music"), output = try engine.attach(.playback())
      try engine.connect(music, output)
      if isMix {
        var mix = AudioMix()
        (mix["music"].pan, mix["music"].panLaw) = (try still(-0.4), law)
        #expect(try JSONDecoder().decode(AudioMix.self, from: JSONEncoder().encode(mix)) == mix)
        try engine.apply(mix)
      } else {
        try music.automate("pan", with: still(-0.4), law: law)
      }
      let heard = try #require(try engine.render(64)[output]), wanted = factors(law, -0.4, width: 2)
      #expect(heard[0][3] == 1 && abs(Double(heard[1][3]) - 0.5 * wanted[1]) < 1e-6)
    }
  }
}
