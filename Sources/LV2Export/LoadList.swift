// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import CSwiftletLV2

/// An effect that was made with a file, which is passed between threads.
@safe struct Load: BitwiseCopyable {
  /// Nil if no file is set and the effect cannot be made without one.
  let effect: UnsafeMutableRawPointer?
  /// The null-terminated path of the file; empty for none.
  let path: UnsafeMutablePointer<CChar>
  /// 1 when the audio thread no longer uses it.
  var isRetired: Int32 = 0
  fileprivate var next: UnsafeMutablePointer<Load>?
}

/// All effects of an instance, from creation to release.
///
/// Non-real-time threads add effects and free used ones under a lock. The audio thread takes the newest one, and marks
/// those that it no longer uses. So no effect leaks if a host drops its messages.
// @unchecked: all state that the lock does not guard is exchanged atomically.
@safe final class LoadList: @unchecked Sendable {
  private let lock = unsafe swiftlet_make_lock()
  /// Under the lock: all effects that have not been freed.
  private var first: UnsafeMutablePointer<Load>?
  /// Under the lock: the path that the host saves.
  private var wanted: [CChar] = [0]
  /// Exchanged atomically: the newest effect that the audio thread has not taken, and whether one could not be made.
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

  /// The null-terminated path that the host saves. Not for the audio thread.
  var path: [CChar] {
    unsafe swiftlet_lock(lock)
    defer { unsafe swiftlet_unlock(lock) }
    return wanted
  }

  /// Keeps a path whose file cannot be loaded now. Not for the audio thread.
  func hold(_ path: [CChar]) {
    unsafe swiftlet_lock(lock)
    wanted = path
    unsafe swiftlet_unlock(lock)
    fail()
  }

  /// Notifies the audio thread that a request failed.
  func fail() { _ = unsafe swiftlet_exchange_number(failed, 1) }

  /// Offers an effect to the audio thread, which takes it at its next run. Not for the audio thread.
  func offer(_ effect: UnsafeMutableRawPointer?, _ path: [CChar]) {
    let memory = UnsafeMutablePointer<CChar>.allocate(capacity: path.count + 1)
    for (index, byte) in path.enumerated() { unsafe memory[index] = byte }
    unsafe memory[path.count] = 0
    let load = UnsafeMutablePointer<Load>.allocate(capacity: 1)
    unsafe swiftlet_lock(lock)
    unsafe load.initialize(to: Load(effect: effect, path: memory, next: first))
    unsafe first = load
    wanted = path
    // An effect that the audio thread has never taken is unused.
    let missed = unsafe swiftlet_exchange(newest, load)
    unsafe missed?.assumingMemoryBound(to: Load.self).pointee.isRetired = 1
    unsafe swiftlet_unlock(lock)
  }

  /// Frees used effects, or all; `free` frees an effect. Not for the audio thread.
  func collect(all: Bool = false, free: (UnsafeMutableRawPointer) -> Void) {
    unsafe swiftlet_lock(lock)
    var kept: UnsafeMutablePointer<Load>?, next = unsafe first
    while let load = unsafe next {
      unsafe next = load.pointee.next
      if unsafe all || swiftlet_exchange_number(&load.pointee.isRetired, 0) == 1 {
        if let effect = unsafe load.pointee.effect { unsafe free(effect) }
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

  /// Takes the newest effect that was offered since the last call; nil if there is none. Audio thread.
  func take() -> UnsafeMutablePointer<Load>? {
    unsafe swiftlet_exchange(newest, nil)?.assumingMemoryBound(to: Load.self)
  }

  /// Returns whether a request has failed since the last call. Audio thread.
  func takeFailure() -> Bool { unsafe swiftlet_exchange_number(failed, 0) == 1 }

  /// Marks an effect that the audio thread no longer uses. Audio thread.
  func retire(_ load: UnsafeMutablePointer<Load>) {
    _ = unsafe swiftlet_exchange_number(&load.pointee.isRetired, 1)
  }
}
