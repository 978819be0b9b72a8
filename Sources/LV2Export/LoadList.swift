// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import CSwiftletLV2

/// A unit that was made with a file, on its way from thread to thread.
@safe struct Load: BitwiseCopyable {
  /// nil where no file is wanted, and the unit cannot be made without.
  let unit: UnsafeMutableRawPointer?
  /// The file; empty for none. Ends with a zero.
  let path: UnsafeMutablePointer<CChar>
  /// 1 when the audio thread is done with it.
  var isSpent: Int32 = 0
  fileprivate var next: UnsafeMutablePointer<Load>?
}

/// All units of an instance, from when they are made until they are freed.
///
/// Threads that may wait add to it and free what is spent, behind a lock. The audio thread takes the newest, and marks
/// what it is done with; so nothing is lost when a host forgets its messages.
// @unchecked: what a lock does not guard is exchanged by single instructions.
@safe final class LoadList: @unchecked Sendable {
  private let lock = unsafe swiftlet_make_lock()
  /// Behind the lock: all that are not freed.
  private var first: UnsafeMutablePointer<Load>?
  /// Behind the lock: what a host should save.
  private var wanted: [CChar] = [0]
  /// The newest that the audio thread has not seen, and whether one could not be made: exchanged.
  private let newest: UnsafeMutablePointer<UnsafeMutableRawPointer?>
  private let failed: UnsafeMutablePointer<Int32>

  init() {
    unsafe newest = .allocate(capacity: 1)
    unsafe newest.initialize(to: nil)
    unsafe failed = .allocate(capacity: 1)
    unsafe failed.initialize(to: 0)
  }

  deinit {
    unsafe newest.deallocate()
    unsafe failed.deallocate()
    unsafe swiftlet_free_lock(lock)
  }

  /// The path that a host should save, with a zero at its end. Not for the audio thread.
  var path: [CChar] {
    unsafe swiftlet_lock(lock)
    defer { unsafe swiftlet_unlock(lock) }
    return wanted
  }

  /// Keeps a path whose file cannot be had now. Not for the audio thread.
  func hold(_ path: [CChar]) {
    unsafe swiftlet_lock(lock)
    wanted = path
    unsafe swiftlet_unlock(lock)
    fail()
  }

  /// Tells the audio thread that what was asked for could not be had.
  func fail() { _ = unsafe swiftlet_exchange_number(failed, 1) }

  /// Hands a unit to the audio thread, which takes it as its next run begins. Not for the audio thread.
  func offer(_ unit: UnsafeMutableRawPointer?, _ path: [CChar]) {
    let memory = UnsafeMutablePointer<CChar>.allocate(capacity: path.count + 1)
    for (place, byte) in path.enumerated() { unsafe memory[place] = byte }
    unsafe memory[path.count] = 0
    let load = UnsafeMutablePointer<Load>.allocate(capacity: 1)
    unsafe swiftlet_lock(lock)
    unsafe load.initialize(to: Load(unit: unit, path: memory, next: first))
    unsafe first = load
    wanted = path
    // One that the audio thread never saw is spent.
    let missed = unsafe swiftlet_exchange(newest, load)
    unsafe missed?.assumingMemoryBound(to: Load.self).pointee.isSpent = 1
    unsafe swiftlet_unlock(lock)
  }

  /// Frees what is spent, or all; `free` frees the units. Not for the audio thread.
  func collect(all: Bool = false, free: (UnsafeMutableRawPointer) -> Void) {
    unsafe swiftlet_lock(lock)
    var kept: UnsafeMutablePointer<Load>?, next = unsafe first
    while let load = unsafe next {
      unsafe next = load.pointee.next
      if unsafe all || swiftlet_exchange_number(&load.pointee.isSpent, 0) == 1 {
        if let unit = unsafe load.pointee.unit { unsafe free(unit) }
        unsafe load.pointee.path.deallocate()
        unsafe load.deallocate()
      } else {
        unsafe load.pointee.next = kept
        unsafe kept = load
      }
    }
    unsafe first = kept
    unsafe swiftlet_unlock(lock)
  }

  /// The newest that was offered since; nil for none. Audio thread.
  func take() -> UnsafeMutablePointer<Load>? {
    unsafe swiftlet_exchange(newest, nil)?.assumingMemoryBound(to: Load.self)
  }

  /// Whether something failed since. Audio thread.
  func takeFailure() -> Bool { unsafe swiftlet_exchange_number(failed, 0) == 1 }

  /// Marks what the audio thread is done with. Audio thread.
  func spend(_ load: UnsafeMutablePointer<Load>) {
    _ = unsafe swiftlet_exchange_number(&load.pointee.isSpent, 1)
  }
}
