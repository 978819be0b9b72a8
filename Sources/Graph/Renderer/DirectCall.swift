// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import CSwiftletRealtime
public import SwiftletSignal
import Synchronization

/// A third-party function that replaces `Processor.process` while that would do nothing but call the function.
///
/// The audio thread calls it directly from the plan, without touching the processor or its tables, so a row of small
/// plugins costs little more than the plugins themselves.
@unsafe public struct DirectCall: BitwiseCopyable {
  /// The function to call, with `context` and the number of frames.
  public typealias Function = @convention(c) (UnsafeMutableRawPointer?, UInt32) -> Void

  let function: Function?
  let context: UnsafeMutableRawPointer?
  let key: UnsafePointer<Atomic<Int>>?
  let longestBlock: Int32

  /// Creates a direct call that replaces `process`. The processor owns all three arguments, which must live as long
  /// as it.
  ///
  /// - Parameter longestBlock: the longest block that the direct call can process, in frames.
  public init(
    _ function: Function, context: UnsafeMutableRawPointer?, key: borrowing DirectCallKey, longestBlock: Int
  ) {
    unsafe self.function = function
    unsafe self.context = context
    unsafe self.key = UnsafePointer(key.fits)
    unsafe self.longestBlock = Int32(clamping: longestBlock)
  }

  /// Creates an absent direct call, which no block uses.
  init() {
    unsafe function = nil
    unsafe context = nil
    unsafe key = nil
    unsafe longestBlock = -1
  }

  /// Whether the direct call exists.
  var exists: Bool { @_noLocks @_noAllocation @inline(__always) get { unsafe longestBlock >= 0 } }

  /// Prefetches the memory that the function is called with. Audio thread.
  @_noLocks @_noAllocation @inline(__always) func warm() { unsafe rt_prefetch(context) }

  /// Returns whether the direct call is open for a block with these addresses. Audio thread only.
  @_noLocks @_noAllocation @inline(__always) func isOpen(addresses: Int, frameCount: Int32) -> Bool {
    // `longestBlock >= 0` implies that the pointers are set.
    guard unsafe frameCount <= longestBlock else { return false }
    return unsafe key.unsafelyUnwrapped.pointee.load(ordering: .acquiring) == addresses
  }

  /// Calls the function. The context identifies the plugin if it crashes. `rt_begin_runs` precedes the first of a
  /// row, `rt_end_call` and `rt_mend_float_mode` follow the last. Audio thread.
  @_semantics("no_performance_analysis") @inline(__always) func take(frameCount: Int32) {
    unsafe rt_set_plugin(context)
    unsafe function.unsafelyUnwrapped(context, UInt32(bitPattern: frameCount))
    rt_mend_float_mode_in_row()
  }
}

/// Opens and closes a direct call. The processor owns it; a plan reads it.
@safe public struct DirectCallKey: ~Copyable {
  /// The number of times that an open direct call was closed, over all keys. While it does not change, plans need not
  /// check their direct calls again.
  static var closeCount: Int { @_noLocks @_noAllocation get { rt_closings() } }
  /// An address that no block has.
  private static var closed: Int { @_noLocks @_noAllocation get { -1 } }

  let fits: UnsafeMutablePointer<Atomic<Int>>

  /// Creates a closed key.
  public init() {
    unsafe fits = .allocate(capacity: 1)
    unsafe fits.initialize(to: Atomic(Self.closed))
  }

  deinit {
    unsafe fits.deinitialize(count: 1)
    unsafe fits.deallocate()
  }

  /// Closes the direct call: every block uses `process` until ``open(for:)``. Any thread.
  @_noLocks @_noAllocation public func close() { fit(Self.closed) }

  /// Opens the direct call for all blocks with the same addresses as this one. Audio thread only, within `process`.
  @_noLocks @_noAllocation public func open(for block: Block) {
    fit(block.addresses == 0 ? Self.closed : block.addresses)
  }

  @_noLocks @_noAllocation private func fit(_ addresses: Int) {
    // The closing thread has closed a gate before and loads this value after that; a weaker memory order could
    // reorder the two.
    guard unsafe fits.pointee.load(ordering: .sequentiallyConsistent) != addresses else { return }
    let before = unsafe fits.pointee.exchange(addresses, ordering: .sequentiallyConsistent)
    if before != Self.closed { rt_count_closing() }
  }
}
