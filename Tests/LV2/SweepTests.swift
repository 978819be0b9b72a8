// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import Foundation
import SwiftletGraph
import SwiftletSignal
import Testing

@testable import SwiftletLV2

/// Makes, plays and frees every installed plugin in a child process, which a plugin may crash.
///
/// The child is this test binary, which an environment variable makes run the other test of this suite. If it
/// crashes, the plugin is noted, and a new child continues with the next one.
@Suite struct SweepTests {
  private static let listKey = "SWIFTLET_TEST_SWEEP_LIST", reportKey = "SWIFTLET_TEST_SWEEP_REPORT"
  /// Plugins that abort in `instantiate` without a display.
  private static let needsDisplay = ["drumkv1", "padthv1", "samplv1", "synthv1"]

  @Test(.enabled(if: ProcessInfo.processInfo.environment[listKey] == nil), .timeLimit(.minutes(15)))
  func `every installed plugin loads and plays, or is refused with a reason`() throws {
    let folder = try FixtureFolder()
    var rest = try PluginWorld.shared.list().map(\.uri)
    let count = rest.count
    var played = 0, refused: [String] = [], crashed: [String] = []
    while !rest.isEmpty {
      let list = folder.path + "/list", report = folder.path + "/report"
      try rest.joined(separator: "\n").write(toFile: list, atomically: true, encoding: .utf8)
      try "".write(toFile: report, atomically: true, encoding: .utf8)
      let child = Process()
      child.executableURL = URL(filePath: "/proc/self/exe")
      child.arguments = ["--testing-library", "swift-testing", "--filter", "SweepTests", "--no-parallel"]
      if CommandLine.arguments.count > 2, CommandLine.arguments[1] == "--test-bundle-path" {
        child.arguments = ["--test-bundle-path", CommandLine.arguments[2]] + (child.arguments ?? [])
      }
      var environment = ProcessInfo.processInfo.environment
      environment[Self.listKey] = list
      environment[Self.reportKey] = report
      environment["SWIFT_BACKTRACE"] = "enable=no"
      child.environment = environment
      child.standardOutput = FileHandle.nullDevice
      child.standardError = FileHandle.nullDevice
      try child.run()
      child.waitUntilExit()
      let lines = try String(contentsOfFile: report, encoding: .utf8).split(separator: "\n").map(String.init)
      played += lines.count { $0.hasPrefix("played ") }
      refused += lines.filter { $0.hasPrefix("refused ") }
      rest.removeFirst(lines.count { $0.hasPrefix("start ") })
      if let last = lines.last, last.hasPrefix("start ") {
        crashed.append(String(last.dropFirst(6)))
      } else if !rest.isEmpty {
        Issue.record("the child ended early: status \(child.terminationStatus)")
        return
      }
    }
    print("plugins: \(count), played \(played), refused \(refused.count), crashed \(crashed.count)")
    for line in refused { print("  " + line) }
    for line in crashed { print("  crashed " + line) }
    #expect(played + refused.count + crashed.count == count)
    let unexpected = crashed.filter { uri in !Self.needsDisplay.contains { uri.contains($0) } }
    #expect(unexpected.isEmpty)
  }

  @Test(.enabled(if: ProcessInfo.processInfo.environment[listKey] != nil))
  func `the child plays the plugins of its list`() throws {
    let environment = ProcessInfo.processInfo.environment
    let listPath = try #require(environment[Self.listKey]),
      reportPath = try #require(environment[Self.reportKey])
    let list = try String(contentsOfFile: listPath, encoding: .utf8)
    let report = try #require(FileHandle(forWritingAtPath: reportPath))
    for uri in list.split(separator: "\n").map(String.init) {
      try report.write(contentsOf: Data("start \(uri)\n".utf8))
      do {
        try play(uri)
        try report.write(contentsOf: Data("played \(uri)\n".utf8))
      } catch {
        let reason = "\(error)".split(separator: "\n").joined(separator: " ")
        try report.write(contentsOf: Data("refused \(uri): \(reason)\n".utf8))
      }
    }
  }

  /// Plays a plugin live in stereo with split blocks and glides, and with another period; then offline.
  private func play(_ uri: String) throws {
    for layout in [
      PluginLayout(sampleRate: 48_000, longestBlock: 256, period: 256, channels: 2),
      PluginLayout(sampleRate: 44_100, longestBlock: 1024, channels: 1, isOffline: true),
    ] {
      let (processor, rig) = try PluginWorld.shared.rig(uri, layout)
      let channels = try PluginWorld.shared.info(uri: uri).inputs.count * 2
      let input = (0..<channels).map { noise(2560, seed: UInt32($0 + 1)) }
      let note = [ProcessorRig.Note(frame: 20, bytes: [0x90, 60, 100])]
      for parameter in try PluginWorld.shared.info(uri: uri).parameters {
        processor.set(parameter.number, to: parameter.initial, over: 100)
      }
      rig.play(input, frames: 2560, blocks: processor.cut == .never ? [256] : [256, 64, 192], notes: note)
      // Plugins that depend on the block length get a new instance for another one.
      guard !layout.isOffline, try processor.refit(to: 128, isPlaying: { false }) == .made else { continue }
      rig.play(input, frames: 2560, blocks: [128], notes: note)
      _ = processor.finishRefit(isPlaying: { false })
      processor.freeSpent()
      rig.play(input, frames: 2560, blocks: [128], notes: note)
    }
  }
}
