// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import CSwiftletRealtime
package import SwiftletSignal

/// Runs a program's closure as a node.
///
/// The program is responsible for making the closure real-time safe. Calling it does no reference counting: the
/// closure is a constant of an object that the plan retains, which `make test` checks in the object code.
/// RealtimeSanitizer does not check the closure.
package final class ClosureProcessor: Processor, @unchecked Sendable {
  // @unchecked: only the rendering thread calls it, and only one thread renders at a time.
  private let body: (Block) -> Void

  /// Creates a node that calls `body` for each block.
  package init(_ body: sending @escaping (Block) -> Void) {
    self.body = body
    super.init()
  }

  package override func process(_ block: Block) {
    rt_third_party_enter()
    body(block)
    rt_third_party_exit()
  }
}
