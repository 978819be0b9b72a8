// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import CSwiftletRealtime
internal import Glibc
internal import SwiftletThreads
internal import Synchronization

/// The work of an effect that is done outside the audio thread, and the thread that does it.
///
/// A subclass implements ``work()``, which exchanges its data with the audio thread by rings and atomics. In real time,
/// the thread does the work at regular intervals. In offline and freewheeling renders, the rendering thread does it at
/// once, so that a render is complete and reproducible.
// @unchecked: the data that a subclass's `work` accesses belongs to the thread that has set `isBusy`; `thread` belongs
// to the control thread.
@safe class SideThread: @unchecked Sendable {
  private let isBusy = Atomic(false)
  private let isEnding = Monitor(false)
  /// Whether a render has waited too long; no render waits again until the work is free.
  private let isOverdue = Atomic(false)
  private let pause: Duration
  private var thread: JoinableThread?

  /// The maximum time that a render waits for the thread to finish its current work, in seconds.
  private static var timeout: Int { 5 }

  /// Creates work whose thread looks for it every `milliseconds`. Control thread.
  init(every milliseconds: Int) { pause = .milliseconds(milliseconds) }

  /// Does all pending work. One thread at a time; the audio thread only in offline and freewheeling renders.
  func work() {}

  /// Starts the thread. Control thread.
  ///
  /// - Returns: whether the system provided a thread.
  func start() -> Bool {
    // Not retained: `stop` joins the thread before this object is released.
    let work = unsafe Unmanaged.passUnretained(self)
    thread = JoinableThread("swiftlet-side") { unsafe work._withUnsafeGuaranteedRef { $0.loop() } }
    return thread != nil
  }

  /// Stops the thread after its current work. Control thread.
  func stop() {
    guard let thread else { return }
    isEnding.change { $0 = true }
    thread.join()
    self.thread = nil
  }

  private func loop() {
    _ = rt_flush_denormals()
    repeat { workIfFree() } while !isEnding.wait(within: pause) { $0 }
  }

  /// Does the work, unless another thread is doing it. Returns whether it did.
  @discardableResult private func workIfFree() -> Bool {
    let taken = isBusy.compareExchange(expected: false, desired: true, ordering: .acquiringAndReleasing)
    guard taken.exchanged else { return false }
    work()
    isBusy.store(false, ordering: .releasing)
    return true
  }

  /// Does the work on the rendering thread, after waiting for the other thread. It stops waiting if the other thread
  /// hangs.
  fileprivate func workNow() {
    var now = timespec()
    unsafe clock_gettime(CLOCK_MONOTONIC, &now)
    let last = now.tv_sec + SideThread.timeout
    while !workIfFree() {
      guard !isOverdue.load(ordering: .relaxed) else { return }
      unsafe clock_gettime(CLOCK_MONOTONIC, &now)
      if now.tv_sec >= last { isOverdue.store(true, ordering: .relaxed) }
      Waiting.sleep(microseconds: 20)
    }
    isOverdue.store(false, ordering: .relaxed)
  }
}

/// Does all pending work at once. Audio thread, only in offline and freewheeling renders.
@_semantics("no_performance_analysis") @inline(never)
func finish(_ work: Unmanaged<SideThread>) {
  rt_third_party_enter()
  unsafe work._withUnsafeGuaranteedRef { $0.workNow() }
  rt_third_party_exit()
}
