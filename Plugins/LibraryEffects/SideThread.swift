// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import CSwiftletRealtime
internal import Glibc
internal import SwiftletThreads
internal import Synchronization

/// Work that a unit has done aside from the audio thread, and the thread that does it.
///
/// A subclass says what there is to do; it comes and goes by rings and atomics. While people listen, the
/// thread looks for it every so often. Where nobody does, the thread that renders does it at once, so that a
/// render is complete, and the same every time.
// @unchecked: what a subclass's `work` touches belongs to whoever has set `isBusy`; `thread` to the control
// thread.
@safe class SideThread: @unchecked Sendable {
  private let isBusy = Atomic(false)
  private let isEnding = Monitor(false)
  /// Whether a render has waited in vain: then none waits again until the work can be had.
  private let isOverdue = Atomic(false)
  private let pause: Duration
  private var thread: JoinableThread?

  /// How long a render waits for the thread to end what it is at, in seconds.
  private static var patience: Int { 5 }

  /// Work that is looked for every `milliseconds`. Control thread.
  init(every milliseconds: Int) { pause = .milliseconds(milliseconds) }

  /// Does all there is to do. One thread at a time; never the audio thread while people listen.
  func work() {}

  /// Starts the thread. Control thread.
  ///
  /// - Returns: whether the system gave one.
  func start() -> Bool {
    // Not retained: `stop` joins the thread before the work goes.
    let work = unsafe Unmanaged.passUnretained(self)
    thread = JoinableThread("swiftlet-aside") { unsafe work._withUnsafeGuaranteedRef { $0.loop() } }
    return thread != nil
  }

  /// Ends the thread after what it is at. Control thread.
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

  /// Does the work, unless another thread is at it.
  @discardableResult private func workIfFree() -> Bool {
    let taken = isBusy.compareExchange(expected: false, desired: true, ordering: .acquiringAndReleasing)
    guard taken.exchanged else { return false }
    work()
    isBusy.store(false, ordering: .releasing)
    return true
  }

  /// Does the work on the thread that renders, once the other is not at it; not for one that hangs.
  fileprivate func workNow() {
    var now = timespec()
    unsafe clock_gettime(CLOCK_MONOTONIC, &now)
    let last = now.tv_sec + SideThread.patience
    while !workIfFree() {
      guard !isOverdue.load(ordering: .relaxed) else { return }
      unsafe clock_gettime(CLOCK_MONOTONIC, &now)
      if now.tv_sec >= last { isOverdue.store(true, ordering: .relaxed) }
      Waiting.sleep(microseconds: 20)
    }
    isOverdue.store(false, ordering: .relaxed)
  }
}

/// Has all work done at once. The audio thread, only where nobody listens.
@_semantics("no_performance_analysis") @inline(never)
func finish(_ work: Unmanaged<SideThread>) {
  rt_foreign_enter()
  unsafe work._withUnsafeGuaranteedRef { $0.workNow() }
  rt_foreign_exit()
}
