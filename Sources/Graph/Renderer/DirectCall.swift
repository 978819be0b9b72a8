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

  private(set) var function: Function?
  private(set) var context: UnsafeMutableRawPointer?
  let key: UnsafePointer<DirectCallKey.Memory>?
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
    unsafe self.key = UnsafePointer(key.memory)
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
  @_noLocks @_noAllocation @inline(__always) func prefetch() { unsafe rt_prefetch(context) }

  /// Returns whether the direct call is open for a block with these addresses. If so, and if the processor has replaced
  /// what it calls, takes that over. Audio thread only.
  @_noLocks @_noAllocation @inline(__always) mutating func isOpen(addresses: Int, frameCount: Int32) -> Bool {
    // `longestBlock >= 0` implies that the pointers are set.
    guard unsafe frameCount <= longestBlock else { return false }
    let memory = unsafe key.unsafelyUnwrapped
    guard unsafe memory.pointee.fits.load(ordering: .acquiring) == addresses else { return false }
    if unsafe memory.pointee.isReplaced {
      unsafe function = memory.pointee.function
      unsafe context = memory.pointee.context
    }
    return true
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
  /// The addresses of the blocks for which the direct call is open, and the function and context that have replaced
  /// those of plans. The latter are written while the direct call is closed, and read while it is open.
  @unsafe struct Memory: ~Copyable {
    let fits: Atomic<Int>
    var isReplaced = false
    var function: DirectCall.Function?
    var context: UnsafeMutableRawPointer?
  }
  /// The number of times that an open direct call was closed, over all keys. While it does not change, plans need not
  /// check their direct calls again.
  static var closeCount: Int { @_noLocks @_noAllocation get { rt_closings() } }
  /// An address that no block has.
  private static var closed: Int { @_noLocks @_noAllocation get { -1 } }

  let memory: UnsafeMutablePointer<Memory>

  /// Creates a closed key.
  public init() {
    unsafe memory = .allocate(capacity: 1)
    unsafe memory.initialize(to: Memory(fits: Atomic(Self.closed)))
  }

  deinit {
    unsafe memory.deinitialize(count: 1)
    unsafe memory.deallocate()
  }

  /// Replaces the function and the context in all plans, from the next time that the direct call is open. Call it while
  /// the direct call is closed and cannot be opened: on the audio thread, or while the processor does not play.
  @_noLocks @_noAllocation public func replace(
    _ function: DirectCall.Function, context: UnsafeMutableRawPointer?
  ) {
    unsafe memory.pointee.function = function
    unsafe memory.pointee.context = context
    unsafe memory.pointee.isReplaced = true
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
    guard unsafe memory.pointee.fits.load(ordering: .sequentiallyConsistent) != addresses else { return }
    let before = unsafe memory.pointee.fits.exchange(addresses, ordering: .sequentiallyConsistent)
    if before != Self.closed { rt_count_closing() }
  }
}
