// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import CSwiftletRealtime
package import SwiftletSignal

/// Runs a program's closure as a node, with a state that only the closure uses.
@safe package final class StatefulProcessor<State>: Processor, @unchecked Sendable {
  // @unchecked: only the rendering thread uses both, and only one thread renders at a time. The state is behind a
  // pointer, since a stored property would cost an exclusivity check at every access.
  private let state: UnsafeMutablePointer<State>
  private let body: (inout State, Block) -> Void

  /// Creates a node that calls `body` for each block.
  package init(_ state: sending State, _ body: sending @escaping (inout State, Block) -> Void) {
    unsafe self.state = .allocate(capacity: 1)
    unsafe self.state.initialize(to: state)
    self.body = body
    super.init()
  }

  deinit {
    unsafe state.deinitialize(count: 1)
    unsafe state.deallocate()
  }

  package override func process(_ block: Block) {
    rt_third_party_enter()
    unsafe body(&state.pointee, block)
    rt_third_party_exit()
  }
}
