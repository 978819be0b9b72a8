// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import Foundation
import SwiftletThreads
import Synchronization
import Testing

/// Waits by the clock. The tests do not limit how late a wait ends, because that depends on the machine's load.
struct WaitingTests {
  @Test func `sleep lasts at least the requested time, and returns at once for zero or less`() {
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
      // While the lock is held and `slept` is nil, the thread exists.
      sleeper.slept.withLock { slept in
        let thread = sleeper.thread.load(ordering: .acquiring)
        if thread != 0, slept == nil { pthread_kill(thread, SIGUSR2) }
        return slept != nil
      }
    }
    #expect(hasSlept)
    #expect(sleeper.slept.withLock { $0 ?? .zero } >= .milliseconds(100))
  }

  @Test func `a wait for a condition that holds returns at once`() {
    var checks = 0
    let holds = { () -> Bool in
      checks += 1
      return true
    }
    #expect(Waiting.until(every: .seconds(3600), tries: 10, holds))
    #expect(Waiting.until(every: .seconds(3600), within: .seconds(3600), holds))
    #expect(Waiting.until(every: .seconds(3600), within: .zero, holds))
    #expect(checks == 3)
  }

  @Test(arguments: [0, 1, 3]) func `a condition is checked before each pause and after the last`(tries: Int) {
    var checks = 0
    let holds = Waiting.until(every: .milliseconds(1), tries: tries) {
      checks += 1
      return false
    }
    #expect(!holds && checks == tries + 1)
  }

  @Test func `a wait ends when its condition becomes true`() {
    for limited in [true, false] {
      var checks = 0
      let comes = { () -> Bool in
        checks += 1
        return checks == 4
      }
      #expect(
        limited
          ? Waiting.until(every: .milliseconds(1), tries: 1000, comes)
          : Waiting.until(every: .milliseconds(1), within: .seconds(60), comes))
      #expect(checks == 4)
    }
  }

  @Test func `a wait for a condition that never holds ends after its limit`() {
    let time = ContinuousClock().measure {
      #expect(!Waiting.until(every: .milliseconds(3), within: .milliseconds(20)) { false })
    }
    #expect(time >= .milliseconds(20))
  }
}

/// A sleeping thread, and how long it slept.
private final class Sleeper: Sendable {
  let thread = Atomic<UInt>(0)
  let slept = Mutex<Duration?>(nil)
}
