// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import CSwiftletRealtime
package import SwiftletSignal

/// Runs a program's own closure as a node.
///
/// What the closure does is the program's own answer to the rules of the audio thread. Calling it counts no
/// references: it is a constant of an object that the plan keeps alive, which `make test` checks in the
/// object code. The sanitizer leaves it out.
package final class ClosureProcessor: Processor, @unchecked Sendable {
  // @unchecked: only the thread that renders calls it, and one thread renders at a time.
  private let body: (Block) -> Void

  /// A node that is what `body` does.
  package init(_ body: sending @escaping (Block) -> Void) {
    self.body = body
    super.init()
  }

  package override func process(_ block: Block) {
    rt_foreign_enter()
    body(block)
    rt_foreign_exit()
  }
}
