// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import Foundation
import SwiftletGraph
import Synchronization

/// Plays a processor without inputs on a thread of its own, in blocks of 16 frames, until `body` returns.
func withAudioThread<Result>(playing processor: Processor, _ body: () throws -> Result) rethrows -> Result {
  let isOver = Atomic(false)
  let audio = Thread {
    let host = BlockHost(processor, outputs: 1)
    var frame: Int64 = 0
    while !isOver.load(ordering: .acquiring) {
      host.run(frame: frame, count: 16)
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
