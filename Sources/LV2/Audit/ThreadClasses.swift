// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import CSwiftletLilv
internal import CSwiftletRealtime
internal import Glibc
internal import SwiftletThreads
internal import Synchronization

/// Reports calls of the host's worker from functions and threads where LV2 forbids them.
///
/// It is placed between the audited plugin and ``PluginWorker``. There is one instance, since a process audits one
/// plugin.
// @unchecked: the functions are stored before the plugin runs, and are the same for each instance; the rest is atomic
// or under a lock.
final class ThreadClasses: @unchecked Sendable {
  static let shared = ThreadClasses()

  /// Whether a call of `run` is in progress.
  let isRunning = Atomic<Bool>(false)
  /// The outputs that `work` must not write to, while they are monitored.
  private let outputs = Mutex<[WatchedOutput]>([])
  private let output = Mutex<AuditOutput?>(nil)
  private let interface = UnsafeMutablePointer<LV2_Worker_Interface>.allocate(capacity: 1)
  fileprivate var plugin = LV2_Worker_Interface()
  fileprivate var schedule:
    (@convention(c) (LV2_Worker_Schedule_Handle?, UInt32, UnsafeRawPointer?) -> LV2_Worker_Status)?
  fileprivate var respond: LV2_Worker_Respond_Function?

  /// An output of an instance, and its buffer.
  struct WatchedOutput: @unchecked Sendable {
    let symbol: String
    let memory: UnsafeBufferPointer<Float>

    /// A hash of the contents.
    fileprivate var print: UInt64 {
      memory.reduce(0) { ($0 &* 0x100_0000_01B3) ^ UInt64($1.bitPattern) }
    }
  }

  func report(to output: AuditOutput) { self.output.withLock { $0 = output } }

  /// Makes the plugin call this object instead of its worker.
  ///
  /// - Returns: The interface for the worker to call.
  func watch(
    _ worker: PluginWorker, _ plugin: UnsafePointer<LV2_Worker_Interface>
  ) -> UnsafePointer<LV2_Worker_Interface> {
    self.plugin = plugin.pointee
    schedule = worker.schedules.pointee.schedule_work
    worker.schedules.pointee.schedule_work = watchedSchedule
    interface.initialize(to: plugin.pointee)
    if plugin.pointee.work != nil { interface.pointee.work = watchedWork }
    return UnsafePointer(interface)
  }

  /// Reports outputs that `work` writes to while `body` runs.
  func watch(_ outputs: [WatchedOutput], _ body: () -> Void) {
    self.outputs.withLock { $0 = outputs }
    body()
    self.outputs.withLock { $0 = [] }
  }

  /// Reports a forbidden call.
  fileprivate func report(_ function: String, _ current: Int32, _ allowed: String) {
    let context =
      current < 0
      ? "on a thread of its own" : "in '\(String(cString: swiftlet_function_name(UInt32(current))))'"
    output.withLock { $0 }?.find(
      .fail, .threadClass, "it calls '\(function)' \(context)", ["LV2 allows it in \(allowed) only"])
  }

  /// Runs `work`, and reports the outputs that it wrote to.
  fileprivate func work(_ body: () -> LV2_Worker_Status) -> LV2_Worker_Status {
    let watched = outputs.withLock { $0 }
    guard !watched.isEmpty else { return body() }
    // Waits until the current `run` ends, whose writes are allowed. If `run` itself waits for the work, this times out
    // and skips the check.
    let isOver = Waiting.until(every: .microseconds(50), within: .seconds(1)) {
      !isRunning.load(ordering: .acquiring)
    }
    guard isOver else { return body() }
    let before = watched.map(\.print)
    let status = body()
    for (port, print) in zip(watched, before) where port.print != print {
      output.withLock { $0 }?.find(
        .fail, .threadClass, "it writes to its port '\(port.symbol)' in 'work'")
    }
    return status
  }
}

/// The plugin calls this from `run`, so it must neither store nor allocate anything.
private func watchedSchedule(
  _ handle: LV2_Worker_Schedule_Handle?, _ size: UInt32, _ data: UnsafeRawPointer?
) -> LV2_Worker_Status {
  let current = rt_current_function(), threads = ThreadClasses.shared
  switch swiftlet_function(UInt32(bitPattern: current)) {
  case SWIFTLET_RUN, SWIFTLET_WORK_RESPONSE, SWIFTLET_END_RUN, SWIFTLET_RESTORE: break
  default:
    threads.report("schedule_work", current, "'run', 'work_response', 'end_run' and 'restore'")
    // The host's queue allows one writer at a time.
    if current < 0 { return LV2_WORKER_ERR_UNKNOWN }
  }
  return threads.schedule?(handle, size, data) ?? LV2_WORKER_ERR_UNKNOWN
}

private func watchedWork(
  _ instance: LV2_Handle?, _ respond: LV2_Worker_Respond_Function?, _ handle: LV2_Worker_Respond_Handle?,
  _ size: UInt32, _ data: UnsafeRawPointer?
) -> LV2_Worker_Status {
  let threads = ThreadClasses.shared
  threads.respond = respond
  return threads.work {
    threads.plugin.work?(instance, watchedRespond, handle, size, data) ?? LV2_WORKER_ERR_UNKNOWN
  }
}

private func watchedRespond(
  _ handle: LV2_Worker_Respond_Handle?, _ size: UInt32, _ data: UnsafeRawPointer?
) -> LV2_Worker_Status {
  let current = rt_current_function(), threads = ThreadClasses.shared
  guard current == Int32(SWIFTLET_WORK.rawValue) else {
    rt_third_party_enter()
    defer { rt_third_party_exit() }
    threads.report("respond", current, "'work', on the thread that calls it,")
    return LV2_WORKER_ERR_UNKNOWN
  }
  return threads.respond?(handle, size, data) ?? LV2_WORKER_ERR_UNKNOWN
}
