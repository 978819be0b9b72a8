// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import Foundation
import Synchronization
import Testing

@testable import SwiftletLibraryEffects

/// Work that blocks until `isLetGo` is set.
private final class Hanging: SideThread, @unchecked Sendable {
  let isBegun = Atomic(false), isLetGo = Atomic(false), done = Atomic(0)

  override func work() {
    isBegun.store(true, ordering: .releasing)
    while !isLetGo.load(ordering: .acquiring) { usleep(1000) }
    done.wrappingAdd(1, ordering: .relaxed)
  }
}

@Suite struct SideThreadTests {
  @Test func `a render waits only once for a hanging side thread`() throws {
    let work = Hanging(every: 1)
    #expect(work.start())
    while !work.isBegun.load(ordering: .acquiring) { usleep(1000) }
    let clock = ContinuousClock(), handle = Unmanaged<SideThread>.passUnretained(work)
    let first = clock.measure { finish(handle) }
    let others = clock.measure { for _ in 0..<100 { finish(handle) } }
    #expect(first > .seconds(3) && others < .seconds(3), "\(first), then \(others)")
    work.isLetGo.store(true, ordering: .releasing)
    work.stop()
    let before = work.done.load(ordering: .relaxed)
    finish(handle)
    #expect(work.done.load(ordering: .relaxed) == before + 1)
  }
}
