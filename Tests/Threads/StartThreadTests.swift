// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import Foundation
import SwiftletThreads
import Synchronization
import Testing

struct StartThreadTests {
  /// The calling thread's name in the kernel.
  private static var ownName: String {
    (try? String(contentsOfFile: "/proc/thread-self/comm", encoding: .utf8)) ?? ""
  }

  private final class Notes: Sendable { let names = Mutex<[String]>([]) }

  private final class Marker: Sendable {}

  @Test func `a joined thread has its name and has ended, and its closure is released`() throws {
    let notes = Notes()
    weak var captured: Marker?
    do {
      let marker = Marker()
      captured = marker
      let thread = try #require(
        JoinableThread("swiftlet-joined-and-long") {
          withExtendedLifetime(marker) { notes.names.withLock { $0.append(Self.ownName) } }
        })
      thread.join()
    }
    #expect(notes.names.withLock { $0 } == ["swiftlet-joined\n"])
    #expect(captured == nil)
  }

  @Test func `a detached thread has its name`() {
    let notes = Notes()
    startThread("swiftlet-alone") { notes.names.withLock { $0.append(Self.ownName) } }
    #expect(
      Waiting.until(every: .milliseconds(2), within: .seconds(30)) { notes.names.withLock { !$0.isEmpty } })
    #expect(notes.names.withLock { $0 } == ["swiftlet-alone\n"])
  }
}
