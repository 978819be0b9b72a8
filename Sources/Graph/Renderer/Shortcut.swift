// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import CSwiftletRealtime
public import SwiftletSignal
import Synchronization

/// A foreign function that stands in for `Processor.process` while nothing but that one call is to be done.
///
/// The audio thread then calls it straight from the plan: neither the processor nor its tables are touched,
/// and a row of small plugins costs little more than the plugins themselves.
@unsafe public struct Shortcut: BitwiseCopyable {
  /// What is called: with `context`, and how many frames.
  public typealias Function = @convention(c) (UnsafeMutableRawPointer?, UInt32) -> Void

  let function: Function?
  let context: UnsafeMutableRawPointer?
  let key: UnsafePointer<Atomic<Int>>?
  let longestBlock: Int32

  /// A way around `process`. All three belong to the processor and live as long.
  ///
  /// - Parameter longestBlock: no longer block takes it, in frames.
  public init(
    _ function: Function, context: UnsafeMutableRawPointer?, key: borrowing ShortcutKey, longestBlock: Int
  ) {
    unsafe self.function = function
    unsafe self.context = context
    unsafe self.key = UnsafePointer(key.fits)
    unsafe self.longestBlock = Int32(clamping: longestBlock)
  }

  /// The way that no block takes.
  init() {
    unsafe function = nil
    unsafe context = nil
    unsafe key = nil
    unsafe longestBlock = -1
  }

  /// Whether there is one at all.
  var exists: Bool { @_noLocks @_noAllocation @inline(__always) get { unsafe longestBlock >= 0 } }

  /// Prefetches the memory that the function is called with. Audio thread.
  @_noLocks @_noAllocation @inline(__always) func warm() { unsafe rt_prefetch(context) }

  /// Whether it is open for a block of these addresses. Audio thread.
  @_noLocks @_noAllocation @inline(__always) func isOpen(addresses: Int, frameCount: Int32) -> Bool {
    // Whoever has a length has all the rest.
    guard unsafe frameCount <= longestBlock else { return false }
    return unsafe key.unsafelyUnwrapped.pointee.load(ordering: .acquiring) == addresses
  }

  /// Calls the function. The context says which plugin it was if it crashes. `rt_begin_runs` precedes the first of a row,
  /// `rt_end_call` and `rt_mend_float_mode` follow the last. Audio thread.
  @_semantics("no_performance_analysis") @inline(__always) func take(frameCount: Int32) {
    unsafe rt_set_plugin(context)
    unsafe function.unsafelyUnwrapped(context, UInt32(bitPattern: frameCount))
    rt_mend_float_mode_in_row()
  }
}

/// Opens and closes a shortcut. The processor owns it; a plan reads it.
@safe public struct ShortcutKey: ~Copyable {
  /// Counts what was open and is not any more, of all keys: while it stands still, no plan need look again.
  static var closings: Int { @_noLocks @_noAllocation get { rt_closings() } }
  /// What fits no block.
  private static var closed: Int { @_noLocks @_noAllocation get { -1 } }

  let fits: UnsafeMutablePointer<Atomic<Int>>

  /// A key that fits no block yet.
  public init() {
    unsafe fits = .allocate(capacity: 1)
    unsafe fits.initialize(to: Atomic(Self.closed))
  }

  deinit {
    unsafe fits.deinitialize(count: 1)
    unsafe fits.deallocate()
  }

  /// Has every block processed from now on, until ``open(for:)``. Any thread.
  @_noLocks @_noAllocation public func close() { fit(Self.closed) }

  /// Lets all blocks take the shortcut that lie where this one does. Audio thread, while it processes.
  @_noLocks @_noAllocation public func open(for block: Block) {
    fit(block.addresses == 0 ? Self.closed : block.addresses)
  }

  @_noLocks @_noAllocation private func fit(_ addresses: Int) {
    // Who closes has shut a gate before, and looks here after that: no weaker order keeps the two apart.
    guard unsafe fits.pointee.load(ordering: .sequentiallyConsistent) != addresses else { return }
    let before = unsafe fits.pointee.exchange(addresses, ordering: .sequentiallyConsistent)
    if before != Self.closed { rt_count_closing() }
  }
}
