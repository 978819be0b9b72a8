// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import Foundation
import SwiftletGraph
import Synchronization

/// Plays a processor without inputs on a separate thread, in blocks of 16 frames, until `body` returns.
func withAudioThread<Result>(playing processor: Processor, _ body: () throws -> Result) rethrows -> Result {
  let isOver = Atomic(false)
  let audio = Thread {
    let backend = BlockBackend(processor, outputs: 1)
    var frame: Int64 = 0
    while !isOver.load(ordering: .acquiring) {
      backend.run(frame: frame, count: 16)
      frame += 16
      sched_yield()
    }
  }
  audio.start()
  defer {
    isOver.store(true, ordering: .releasing)
    while !audio.isFinished { usleep(1000) }
  }
  return try body()
}

/// Returns the numbers of a race's rounds from 0: `count` of them, or as many as fit into 10 seconds on a busy machine.
func rounds(_ count: Int) -> some Sequence<Int> {
  let end = ContinuousClock.now + .seconds(10)
  return (0..<count).lazy.prefix { $0 == 0 || ContinuousClock.now < end }
}

/// Waits up to one minute until a condition holds, while other threads work on it.
func comesTrue(_ condition: () -> Bool) -> Bool {
  let deadline = ContinuousClock.now + .seconds(60)
  while !condition() {
    guard ContinuousClock.now < deadline else { return false }
    sched_yield()
  }
  return true
}
