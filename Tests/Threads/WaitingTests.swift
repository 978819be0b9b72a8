// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import Foundation
import SwiftletThreads
import Synchronization
import Testing

/// Waiting by the clock. Nothing is said of how late a wait ends: that is the machine's.
struct WaitingTests {
  @Test func `sleep lasts as long as is asked, and not at all for less than nothing`() {
    let time = ContinuousClock().measure { Waiting.sleep(.milliseconds(30)) }
    #expect(time >= .milliseconds(30))
    let none = ContinuousClock().measure {
      for time in [Duration.zero, .seconds(-3600), .nanoseconds(-1)] { Waiting.sleep(time) }
    }
    #expect(none < .seconds(60))
  }

  @Test func `a signal does not shorten a sleep`() {
    let before = signal(SIGUSR2) { _ in }
    defer { signal(SIGUSR2, before) }
    let sleeper = Sleeper()
    startThread("swiftlet-sleeper") {
      sleeper.thread.store(pthread_self(), ordering: .releasing)
      let time = ContinuousClock().measure { Waiting.sleep(.milliseconds(100)) }
      sleeper.slept.withLock { $0 = time }
    }
    let hasSlept = Waiting.until(every: .milliseconds(2), within: .seconds(30)) {
      // Under the lock the thread still lives.
      sleeper.slept.withLock { slept in
        let thread = sleeper.thread.load(ordering: .acquiring)
        if thread != 0, slept == nil { pthread_kill(thread, SIGUSR2) }
        return slept != nil
      }
    }
    #expect(hasSlept)
    #expect(sleeper.slept.withLock { $0 ?? .zero } >= .milliseconds(100))
  }

  @Test func `a condition that holds is not waited for`() {
    var asked = 0
    let holds = { () -> Bool in
      asked += 1
      return true
    }
    #expect(Waiting.until(every: .seconds(3600), tries: 10, holds))
    #expect(Waiting.until(every: .seconds(3600), within: .seconds(3600), holds))
    #expect(Waiting.until(every: .seconds(3600), within: .zero, holds))
    #expect(asked == 3)
  }

  @Test(arguments: [0, 1, 3]) func `a condition is asked before every pause and after the last`(tries: Int) {
    var asked = 0
    let holds = Waiting.until(every: .milliseconds(1), tries: tries) {
      asked += 1
      return false
    }
    #expect(!holds && asked == tries + 1)
  }

  @Test func `a condition that comes to hold ends the wait`() {
    for limited in [true, false] {
      var asked = 0
      let comes = { () -> Bool in
        asked += 1
        return asked == 4
      }
      #expect(
        limited
          ? Waiting.until(every: .milliseconds(1), tries: 1000, comes)
          : Waiting.until(every: .milliseconds(1), within: .seconds(60), comes))
      #expect(asked == 4)
    }
  }

  @Test func `a condition that never holds is given up after the time`() {
    let time = ContinuousClock().measure {
      #expect(!Waiting.until(every: .milliseconds(3), within: .milliseconds(20)) { false })
    }
    #expect(time >= .milliseconds(20))
  }
}

/// A thread that sleeps, and for how long it did.
private final class Sleeper: Sendable {
  let thread = Atomic<UInt>(0)
  let slept = Mutex<Duration?>(nil)
}
