// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import Foundation
import SwiftletGraph
import SwiftletSignal
import Testing

@testable import SwiftletLV2

/// The first hundred plugins, by URI, whose output is the same in two runs of lv2apply: Swiftlet outputs the same
/// bits.
@Suite(.timeLimit(.minutes(10))) struct LV2ApplyBitTests {
  /// Plugins whose output differs, with the cause.
  private static let exceptions: [String: String] = [:]
  private static let needsDisplay = ["drumkv1", "padthv1", "samplv1", "synthv1"]

  /// The channel count of all audio buses on one side; nil if that side has event buses.
  private func channels(_ buses: [ProcessorInfo.Bus]) -> Int? {
    var count = 0
    for bus in buses {
      switch bus.content {
      case .matching: count += 1
      case .atLeast(let fewest): count += max(fewest, 1)
      case .channels(let channels): count += channels
      case .events: return nil
      }
    }
    return count
  }

  /// Returns lv2apply's output for a file; nil if it refuses the plugin or takes more than 20 s.
  private func applied(_ uri: String, _ controls: [String], in folder: String, channels: Int) throws
    -> [[UInt32]]?
  {
    let out = folder + "/out.wav"
    try? FileManager.default.removeItem(atPath: out)
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = ["timeout", "20", "lv2apply", "-i", folder + "/in.wav", "-o", out] + controls + [uri]
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    try process.run()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else { return nil }
    return try WaveFile.read(out, channels: channels).map { $0.map(\.bitPattern) }
  }

  private enum Comparison: Equatable {
    case same, unlike(Int), notCompared
  }

  private func compare(_ uri: String, in folder: String) throws -> Comparison {
    let info = try PluginWorld.shared.info(uri: uri)
    // lv2apply runs a mono plugin twice for a stereo file, and refuses event ports.
    guard let inputs = channels(info.inputs), let outputs = channels(info.outputs), inputs > 0, outputs > 0,
      info.properties.isEmpty
    else { return .notCompared }
    let sound = (0..<inputs).map { channel in
      noise(2400, seed: UInt32(channel + 1)).enumerated().map { $1 * (1 - Float($0) / 2400) }
    }
    try WaveFile.write(sound, rate: 48_000, to: folder + "/in.wav")
    let controls = info.parameters.flatMap { ["-c", $0.symbol, "\($0.initial)"] }
    guard let expected = try applied(uri, controls, in: folder, channels: outputs),
      try applied(uri, controls, in: folder, channels: outputs) == expected
    else { return .notCompared }
    let values = Dictionary(info.parameters.map { ($0.symbol, $0.initial) }) { first, _ in first }
    let layout = PluginLayout(sampleRate: 48_000, longestBlock: 1, channels: 1)
    // Some plugins make noise with the C library's random numbers, which restart in each process.
    srand(1)
    let (_, rig) = try PluginWorld.shared.rig(uri, layout, values: values)
    let output = rig.play(sound, blocks: [1]).map { $0.map(\.bitPattern) }
    guard output.count == expected.count else { return .unlike(-1) }
    for (samples, other) in zip(output, expected) {
      for (frame, (a, b)) in zip(samples, other).enumerated() where a != b { return .unlike(frame) }
    }
    return .same
  }

  @Test func `a hundred plugins output the same bits as in lv2apply`() throws {
    let folder = try FixtureFolder()
    var same = 0, unlike: [String] = []
    for plugin in try PluginWorld.shared.list().sorted(by: { $0.uri < $1.uri }) where same < 100 {
      guard plugin.refusal == nil, Self.exceptions[plugin.uri] == nil,
        !Self.needsDisplay.contains(where: { plugin.uri.contains($0) })
      else { continue }
      switch try compare(plugin.uri, in: folder.path) {
      case .same: same += 1
      case .unlike(let frame): unlike.append("\(plugin.uri) from frame \(frame)")
      case .notCompared: continue
      }
    }
    #expect(unlike.isEmpty)
    #expect(same == 100)
  }
}
