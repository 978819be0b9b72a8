// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import Foundation
import Swiftlet
import SwiftletFiles
import Testing

/// Sources of a player: how often a file is opened, and how many short sounds can be queued.
struct PlayerQueueTests {
  /// Returns how often the kernel saw a file opened while `body` ran.
  private func opens(of path: String, while body: () throws -> Void) rethrows -> Int {
    let queue = inotify_init1(Int32(IN_NONBLOCK))
    defer { close(queue) }
    inotify_add_watch(queue, path, UInt32(IN_OPEN | IN_ACCESS | IN_CLOSE_NOWRITE))
    try body()
    // Consecutive equal events are merged; a read lies between two of these.
    var count = 0, event = inotify_event()
    // An event of a file that is watched directly carries no name.
    while read(queue, &event, MemoryLayout<inotify_event>.size) > 0 {
      if event.mask & UInt32(IN_OPEN) != 0 { count += 1 }
    }
    return count
  }

  @Test func `a scheduled file is opened once`() throws {
    let rig = try PlayerRig()
    let sound = staircase(20_000, from: 1), path = try rig.file("a.wav", [sound])
    let single = try opens(of: path) { _ = try AudioFileReader(path) }
    #expect(single >= 1)
    #expect(try opens(of: path) { try rig.player.schedule(.file(path)) } == single)
    #expect(try opens(of: path) { try rig.player.schedule(.file(path, loop: .times(2))) } == single)
    let kept = try opens(of: path) {
      let player = try AudioPlayer(path, on: rig.engine, to: rig.output)
      try player.prepare()
    }
    #expect(kept == single)
    try rig.player.play()
    #expect(try rig.render(60_000, block: 1000) == sound + sound + sound)
  }

  @Test(arguments: [64, 1000]) func `hundreds of short sounds play without gaps`(block: Int) throws {
    let rig = try PlayerRig()
    let sounds = (0..<1000).map { staircase(5, from: 1 + 5 * $0) }
    for sound in sounds { try rig.player.schedule(.buffer(AudioBuffer([sound])), onEvent: rig.log.add) }
    try rig.player.play()
    #expect(try rig.render(6000, block: block) == sounds.flatMap(\.self) + silence(1000))
    #expect(rig.log.frames(.began) == (0..<1000).map { Int64(5 * $0) })
    #expect(rig.log.frames(.rendered(.finished)) == (1...1000).map { Int64(5 * $0) })
  }

  @Test func `short sounds beyond the limit are refused, and the earlier ones play`() throws {
    let rig = try PlayerRig()
    var taken = 0
    #expect {
      for number in 0..<1000 {
        try rig.player.schedule(.buffer(AudioBuffer([[Float(number + 1) / 4096]])))
        taken += 1
      }
    } throws: {
      guard case EngineError.schedule(_, .tooDense(let most, let within))? = $0 as? EngineError else {
        return false
      }
      return most == taken && within == .milliseconds(125)
    }
    try rig.player.play()
    let heard = try rig.render(1000, block: 1000)
    #expect(heard == (0..<taken).map { Float($0 + 1) / 4096 } + silence(1000 - taken))
    // An interrupting item finds room nevertheless.
    try rig.player.schedule(.buffer(AudioBuffer([[0.5]])), entrance: .interrupts)
    #expect(try rig.render(1, block: 1) == [0.5])
  }
}
