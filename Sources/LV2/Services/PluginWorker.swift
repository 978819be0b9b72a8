// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import CSwiftletLilv
internal import CSwiftletRealtime
internal import Glibc
internal import SwiftletThreads
internal import Synchronization

/// Runs a plugin's non-real-time work on a thread of its own, and delivers the replies between slices.
///
/// One worker serves all instances of one node. In offline rendering and freewheeling, the audio thread waits for the
/// work that the plugin has scheduled, so that renders are reproducible, unless the worker hangs.
// @unchecked: each ring has one writer and one reader at a time. Requests come from the audio thread, replies from the
// thread that holds `workLock`. A thread in `work` may not schedule more. Instances are attached before the thread
// starts.
final class PluginWorker: @unchecked Sendable {
  /// The data behind the handles of an instance's `work` and `schedule_work`.
  struct Instance {
    let worker: Unmanaged<PluginWorker>
    let number: UInt32
    var plugin: LV2_Handle?
    var interface: UnsafePointer<LV2_Worker_Interface>?
  }

  /// Whether rendering is known to be live. Then no cycle continues to wait, even one that began offline.
  let isLive = Atomic<Bool>(false)
  /// Whether the last run was offline. Used by the audio thread only.
  private let wasOffline = Atomic<Bool>(false)
  /// LV2's schedule features, one for each instance, which plugins call.
  let schedules: UnsafeMutablePointer<LV2_Worker_Schedule>
  private let instances: UnsafeMutablePointer<Instance>
  private let count: Int
  private let requests = MessageRing(capacity: 1 << 16)
  private let replies = MessageRing(capacity: 1 << 16)
  private let workLock = ControlLock()
  private let wake: UnsafeMutablePointer<sem_t>, ended: UnsafeMutablePointer<sem_t>
  private let scheduled = Atomic<Int>(0)
  private let done = Atomic<Int>(0)
  /// The maximum time that the audio thread waits, in microseconds.
  let timeout = Atomic<Int>(5_000_000)
  /// Whether the audio thread's wait for the worker has timed out. It does not wait again until all scheduled work is
  /// done.
  private let isOverdue = Atomic<Bool>(false)
  private let faults: PluginFaultCounters
  private let counts: UnsafeMutablePointer<PluginFaultCounters.Counts>
  private let isEnding = Atomic<Bool>(false)
  /// The thread that restores a state. It executes scheduled work immediately, itself.
  private let restorer = Atomic<UInt>(0)
  /// The thread that is inside a plugin's `work`.
  private let working = Atomic<UInt>(0)
  private var thread: JoinableThread?

  init(instanceCount: Int, faults: PluginFaultCounters) {
    self.faults = faults
    counts = faults.counts
    count = instanceCount
    wake = .allocate(capacity: 1)
    sem_init(wake, 0, 0)
    ended = .allocate(capacity: 1)
    sem_init(ended, 0, 0)
    schedules = .allocate(capacity: count)
    instances = .allocate(capacity: count)
    for number in 0..<count {
      (instances + number).initialize(
        to: Instance(
          worker: Unmanaged.passUnretained(self), number: UInt32(number), plugin: nil, interface: nil))
      (schedules + number).initialize(
        to: LV2_Worker_Schedule(handle: instances + number, schedule_work: scheduleWork))
    }
  }

  deinit {
    stop()
    sem_destroy(wake)
    wake.deallocate()
    sem_destroy(ended)
    ended.deallocate()
    schedules.deallocate()
    instances.deallocate()
  }

  /// Sets the plugin of an instance, and the interface for its work. Control thread, before `start`.
  func attach(_ number: Int, _ plugin: LV2_Handle?, _ interface: UnsafePointer<LV2_Worker_Interface>) {
    instances[number].plugin = plugin
    instances[number].interface = interface
  }

  /// Starts the thread. Control thread.
  func start() {
    guard thread == nil else { return }
    // Unretained: `stop` joins the thread before the worker is freed.
    let worker = Unmanaged.passUnretained(self)
    thread = JoinableThread("swiftlet-plugin") { worker._withUnsafeGuaranteedRef { $0.loop() } }
  }

  /// Ends the thread after its current work; no plugin code runs on it afterwards. Control thread.
  ///
  /// - Returns: False if the work does not end. The thread then still runs, and everything that it may use must be
  ///   kept.
  @discardableResult func stop() -> Bool {
    guard let thread else { return true }
    isEnding.store(true, ordering: .releasing)
    sem_post(wake)
    var until = timespec()
    clock_gettime(CLOCK_REALTIME, &until)
    until.tv_sec += timeout.load(ordering: .relaxed) / 1_000_000 + 1
    while sem_timedwait(ended, &until) != 0 {
      if errno == ETIMEDOUT { return false }
    }
    thread.join()
    self.thread = nil
    return true
  }

  /// Runs `body`, in which plugins may restore their state. Work that they schedule is executed immediately on this
  /// thread, and no other work runs.
  ///
  /// - Returns: Nil if the current work lasts longer than `milliseconds`.
  func whileWorkIsPaused<Result>(within milliseconds: Int, _ body: () -> Result) -> Result? {
    restorer.store(rt_thread(), ordering: .releasing)
    defer { restorer.store(0, ordering: .releasing) }
    return workLock.locked(within: milliseconds, body)
  }

  /// Delivers the replies after a run, and calls every instance's `end_run`. Audio thread.
  ///
  /// - Parameter isAlone: Whether this cycle is offline, so that it may wait for work.
  @_noLocks @_noAllocation func endRun(isAlone: Bool) {
    if wasOffline.load(ordering: .relaxed) != isAlone {
      wasOffline.store(isAlone, ordering: .relaxed)
      // `isLive` is stale after a change to offline.
      if isAlone { isLive.store(false, ordering: .relaxed) }
    }
    if isAlone { awaitWork() }
    deliver()
    for number in 0..<count {
      let instance = instances[number]
      guard let end = instance.interface?.pointee.end_run else { continue }
      rt_begin_end_run(instance.plugin)
      swiftlet_call_end_run(end, instance.plugin)
      rt_end_call()
    }
  }

  /// Delivers the replies that are available now, but none that arrive in the meantime, so that a plugin that replies
  /// as fast as they are read cannot block the run. Audio thread, or a control thread while the plugin is idle.
  @_noLocks @_noAllocation func deliver() {
    let end = replies.end
    while let reply = replies.read(before: end) {
      guard Int(reply.tag) < count else { continue }
      let instance = instances[Int(reply.tag)]
      guard let response = instance.interface?.pointee.work_response else { continue }
      rt_begin_response(instance.plugin)
      swiftlet_call_response(response, instance.plugin, reply.size, reply.bytes)
      rt_end_call()
    }
  }

  /// Waits until all scheduled work is done, the timeout has elapsed, or rendering is live again. Called in offline
  /// cycles only.
  @_semantics("no_performance_analysis")
  private func awaitWork() {
    guard thread != nil, done.load(ordering: .acquiring) != scheduled.load(ordering: .relaxed) else {
      isOverdue.store(false, ordering: .relaxed)
      return
    }
    guard !isOverdue.load(ordering: .relaxed) else { return }
    var now = timespec()
    clock_gettime(CLOCK_MONOTONIC, &now)
    let end = now.microseconds + timeout.load(ordering: .relaxed)
    while done.load(ordering: .acquiring) != scheduled.load(ordering: .relaxed) {
      if isLive.load(ordering: .relaxed) { return }
      clock_gettime(CLOCK_MONOTONIC, &now)
      guard now.microseconds < end else {
        isOverdue.store(true, ordering: .relaxed)
        counts.pointee.countOverdueWork()
        return
      }
      Waiting.sleep(microseconds: 20)
    }
  }

  /// Schedules work for a plugin: from `run` or a response, or while its state is restored.
  @_noLocks @_noAllocation fileprivate func schedule(
    _ number: UInt32, _ size: UInt32, _ data: UnsafeRawPointer?
  ) -> LV2_Worker_Status {
    guard instances[Int(number)].interface != nil, data != nil || size == 0 else {
      return LV2_WORKER_ERR_UNKNOWN
    }
    let thread = rt_thread()
    // Refused: it would be a second writer of the ring, or an endless recursion of work.
    if working.load(ordering: .relaxed) == thread {
      counts.pointee.countRefusedWork()
      return LV2_WORKER_ERR_UNKNOWN
    }
    if restorer.load(ordering: .acquiring) == thread {
      workAtOnce(number, size, data)
      return LV2_WORKER_SUCCESS
    }
    guard requests.write(tag: number, data, size: size) else { return LV2_WORKER_ERR_NO_SPACE }
    scheduled.add(1, ordering: .relaxed)
    wakeUp()
    return LV2_WORKER_SUCCESS
  }

  /// Never blocks. Enters the kernel only if the worker sleeps, once for each scheduled item of work.
  @_semantics("no_performance_analysis") @inline(never)
  private func wakeUp() { sem_post(wake) }

  /// For a thread that restores a state, which is never the audio thread.
  @_semantics("no_performance_analysis") @inline(never)
  private func workAtOnce(_ number: UInt32, _ size: UInt32, _ data: UnsafeRawPointer?) {
    work(number, size, data)
  }

  /// Stores a plugin's reply from its `work`.
  fileprivate func reply(_ number: UInt32, _ size: UInt32, _ data: UnsafeRawPointer?) -> LV2_Worker_Status {
    guard data != nil || size == 0 else { return LV2_WORKER_ERR_UNKNOWN }
    return replies.write(tag: number, data, size: size) ? LV2_WORKER_SUCCESS : LV2_WORKER_ERR_NO_SPACE
  }

  private func work(_ number: UInt32, _ size: UInt32, _ data: UnsafeRawPointer?) {
    guard Int(number) < count else { return }
    let instance = instances[Int(number)]
    workLock.locked {
      working.store(rt_thread(), ordering: .relaxed)
      defer { working.store(0, ordering: .relaxed) }
      let around = swiftlet_enter(instance.plugin, SWIFTLET_WORK.rawValue)
      defer { swiftlet_leave(around) }
      _ = instance.interface?.pointee.work?(instance.plugin, replyToWork, instances + Int(number), size, data)
    }
  }

  private func loop() {
    defer { sem_post(ended) }
    swiftlet_prepare_thread(0)
    while true {
      while sem_wait(wake) != 0 {}
      if isEnding.load(ordering: .acquiring) { return }
      while let request = requests.read(before: requests.end) {
        work(request.tag, request.size, request.bytes)
        done.add(1, ordering: .releasing)
        if isEnding.load(ordering: .acquiring) { return }
      }
    }
  }
}

extension timespec {
  fileprivate var microseconds: Int { tv_sec * 1_000_000 + tv_nsec / 1000 }
}

/// Plugins call this from `run`, so the real-time sanitizer is enabled again for this code.
private func scheduleWork(
  _ handle: LV2_Worker_Schedule_Handle?, _ size: UInt32, _ data: UnsafeRawPointer?
) -> LV2_Worker_Status {
  guard let instance = handle?.assumingMemoryBound(to: PluginWorker.Instance.self) else {
    return LV2_WORKER_ERR_UNKNOWN
  }
  rt_third_party_exit()
  defer { rt_third_party_enter() }
  return instance.pointee.worker._withUnsafeGuaranteedRef { $0.schedule(instance.pointee.number, size, data) }
}

private func replyToWork(
  _ handle: LV2_Worker_Respond_Handle?, _ size: UInt32, _ data: UnsafeRawPointer?
) -> LV2_Worker_Status {
  guard let instance = handle?.assumingMemoryBound(to: PluginWorker.Instance.self) else {
    return LV2_WORKER_ERR_UNKNOWN
  }
  return instance.pointee.worker._withUnsafeGuaranteedRef { $0.reply(instance.pointee.number, size, data) }
}
