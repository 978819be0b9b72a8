// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import CSwiftletRealtime
import Glibc
import SwiftletThreads
import Testing

@testable import SwiftletLV2

/// Isolated plugins of one process, which real-time threads order by the line and all others by threads of the
/// plugins' own.
@Suite(.timeLimit(.minutes(2))) struct SharedLineTests {
  private static let amplifier = "http://lv2plug.in/plugins/eg-amp"

  private func rigs(_ count: Int) throws -> [ProcessorRig] {
    let process = SharedProcess()
    return try (0..<count).map { _ in
      let layout = PluginLayout(
        sampleRate: 48_000, longestBlock: 256, channels: 1,
        isolation: PluginIsolation(deadline: 1, sharing: process))
      return try PluginWorld.shared.rig(Self.amplifier, layout).1
    }
  }

  /// Whether every round through a row of plugins gives the sound that goes in. On a thread with this priority.
  private func pass(
    _ sound: [Float], through rigs: [ProcessorRig], rounds: Int, as priority: ThreadPriority
  ) -> (JoinableThread?, Answer) {
    let answer = Answer()
    nonisolated(unsafe) let row = rigs
    let thread = JoinableThread("swiftlet-test", priority: priority) {
      // The system may add a flag: children do not inherit the priority.
      answer.isRealtime = sched_getscheduler(0) & 0xFF == SCHED_FIFO
      for _ in 0..<rounds where row.reduce(into: [sound], { $0 = $1.play($0) }) == [sound] {
        answer.right += 1
      }
    }
    return (thread, answer)
  }

  // @unchecked: read once the thread has ended.
  private final class Answer: @unchecked Sendable { var right = 0, isRealtime = false }

  /// Returns the number of blocks that the line to a plugin's process has ordered.
  private func bell(of rig: ProcessorRig) throws -> UInt32 {
    let child = try #require((rig.processor as? PluginProcessor)?.body.child)
    return child.process.line.base.assumingMemoryBound(to: swiftlet_isolated_line.self).pointee.bell
  }

  @Test func `real-time threads use the line, and all others do not`() throws {
    let row = try rigs(2), sound = noise(256)
    let (usual, first) = pass(sound, through: row, rounds: 10, as: .usual)
    usual?.join()
    let before = try bell(of: row[0])
    let (audio, second) = pass(sound, through: row, rounds: 10, as: .audio)
    audio?.join()
    #expect(first.right == 10 && second.right == 10)
    #expect(before == 0)
    let orders = try bell(of: row[0])
    // Without real-time rights both threads are the same.
    #expect(orders == (second.isRealtime ? 20 : 0))
  }

  @Test func `the plugins of a process serve a real-time thread and another one at once`() throws {
    let row = try rigs(8), sound = noise(256)
    let (first, one) = pass(sound, through: Array(row[..<4]), rounds: 500, as: .audio)
    let (second, other) = pass(sound, through: Array(row[4...]), rounds: 500, as: .usual)
    first?.join()
    second?.join()
    #expect(one.right == 500 && other.right == 500)
  }

  @Test func `one plugin serves threads of both kinds in turn`() throws {
    let row = try rigs(3)
    let sound = noise(256)
    for round in 0..<50 {
      let (thread, answer) = pass(sound, through: row, rounds: 7, as: round % 2 == 0 ? .audio : .usual)
      thread?.join()
      try #require(answer.right == 7, "round \(round)")
    }
  }

  @Test func `two real-time threads at once are both served`() throws {
    let row = try rigs(6)
    let sound = noise(256)
    let runs = [row[..<3], row[3...]].map { pass(sound, through: Array($0), rounds: 500, as: .audio) }
    for (thread, _) in runs { thread?.join() }
    #expect(runs.map(\.1.right) == [500, 500])
  }
}
