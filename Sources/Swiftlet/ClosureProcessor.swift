// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import SwiftletGraph
internal import SwiftletSignal

/// Runs a program's own closure as a node.
///
/// The closure is kept behind a pointer and called in place, so that calling it retains nothing. What it does is the
/// program's own answer to the rules of the audio thread.
final class ClosureProcessor: Processor, @unchecked Sendable {
  private let body: UnsafeMutablePointer<@Sendable (Block) -> Void>

  /// A node that is what `body` does.
  init(_ body: @escaping @Sendable (Block) -> Void) {
    self.body = .allocate(capacity: 1)
    self.body.initialize(to: body)
    super.init()
  }

  deinit {
    body.deinitialize(count: 1)
    body.deallocate()
  }

  override func process(_ block: Block) { body.pointee(block) }
}
