// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import Foundation
import Testing

@testable import Swiftlet

/// A process's signals belong to its program, so a library leaves them alone.
@Suite struct SignalTests {
  @Test func `an engine with a plugin installs no signal handler and no alternate stack`() throws {
    let folder = try LatePluginFolder()
    let before = Self.actions()
    let engine = try AudioEngine(.offline(sampleRate: 48_000, longestBlock: 256))
    let input = try engine.attach(.capture(channels: 1), name: "in")
    let plugin = try folder.attach("late", to: engine)
    let output = try engine.attach(.playback(channels: 1), name: "desk")
    try engine.connect(input, plugin, output)
    _ = try engine.render(256)
    #expect(Self.actions() == before)
  }

  /// Returns the handlers of crash signals, and this thread's alternate stack.
  private static func actions() -> [UInt] {
    var stack = stack_t()
    sigaltstack(nil, &stack)
    let handlers = [SIGILL, SIGTRAP, SIGABRT, SIGBUS, SIGFPE, SIGSEGV].map { number in
      var action = sigaction()
      sigaction(number, nil, &action)
      return unsafeBitCast(action.__sigaction_handler.sa_handler, to: UInt.self)
    }
    return handlers + [UInt(bitPattern: stack.ss_sp)]
  }
}
