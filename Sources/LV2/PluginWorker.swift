// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import CSwiftletLilv
internal import CSwiftletRealtime
internal import Glibc
internal import SwiftletThreads
internal import Synchronization

/// Does a plugin's long work on a thread of its own, and brings the replies back between slices.
///
/// One worker serves all instances of one node. Where nobody listens (offline, freewheeling), the
/// audio thread waits for the work it asked for, so that a render comes out the same every time;
/// but not for a worker that hangs.
// @unchecked: each ring has one writer and one reader at a time: requests come from the audio thread, replies from
// whoever holds `workLock`; who is at work may not ask for more. Instances are attached before the thread starts.
final class PluginWorker: @unchecked Sendable {
  /// What stands behind the handle that an instance's `work` and `schedule_work` get.
  struct Instance {
    let worker: Unmanaged<PluginWorker>
    let number: UInt32
    var plugin: LV2_Handle?
    var interface: UnsafePointer<LV2_Worker_Interface>?
  }

  /// Whether somebody is known to listen: then no cycle waits on, even one that began alone.
  let isHeard = Atomic<Bool>(false)
  /// Whether the last run was one that nobody listens to. The audio thread's own.
  private let wasAlone = Atomic<Bool>(false)
  /// What plugins call, one for each instance, as LV2 wants it.
  let schedules: UnsafeMutablePointer<LV2_Worker_Schedule>
  private let instances: UnsafeMutablePointer<Instance>
  private let count: Int
  private let requests = MessageRing(capacity: 1 << 16)
  private let replies = MessageRing(capacity: 1 << 16)
  private let workLock = ControlLock()
  private let wake: UnsafeMutablePointer<sem_t>, ended: UnsafeMutablePointer<sem_t>
  private let asked = Atomic<Int>(0)
  private let done = Atomic<Int>(0)
  /// How long the audio thread waits at most, in microseconds.
  let patience = Atomic<Int>(5_000_000)
  /// Whether it has waited that long, and waits no more until all is done.
  private let isOverdue = Atomic<Bool>(false)
  private let tally: PluginTally
  private let counts: UnsafeMutablePointer<PluginTally.Counts>
  private let isEnding = Atomic<Bool>(false)
  /// The thread that restores a state: work it asks for is done at once, by itself.
  private let restorer = Atomic<UInt>(0)
  /// The thread that is inside a plugin's `work`.
  private let working = Atomic<UInt>(0)
  private var thread: JoinableThread?

  init(instanceCount: Int, tally: PluginTally) {
    self.tally = tally
    counts = tally.counts
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

  /// Names the plugin behind an instance; its work goes to `interface`. Control thread, before the start.
  func attach(_ number: Int, _ plugin: LV2_Handle?, _ interface: UnsafePointer<LV2_Worker_Interface>) {
    instances[number].plugin = plugin
    instances[number].interface = interface
  }

  /// Starts the thread. Control thread.
  func start() {
    guard thread == nil else { return }
    // Not retained: `stop` joins the thread before the worker goes.
    let worker = Unmanaged.passUnretained(self)
    thread = JoinableThread("swiftlet-plugin") { worker._withUnsafeGuaranteedRef { $0.loop() } }
  }

  /// Ends the thread after the work it is at; no plugin code runs on it afterwards. Control thread.
  ///
  /// - Returns: false if the work does not end. Then the thread still runs, and all
  ///   that it may touch must be kept.
  @discardableResult func stop() -> Bool {
    guard let thread else { return true }
    isEnding.store(true, ordering: .releasing)
    sem_post(wake)
    var until = timespec()
    clock_gettime(CLOCK_REALTIME, &until)
    until.tv_sec += patience.load(ordering: .relaxed) / 1_000_000 + 1
    while sem_timedwait(ended, &until) != 0 {
      if errno == ETIMEDOUT { return false }
    }
    thread.join()
    self.thread = nil
    return true
  }

  /// Runs `body`, in which plugins may restore their state: what they schedule is done at once on this
  /// thread, and no work is done elsewhere.
  ///
  /// - Returns: nil where work under way lasts longer than so many milliseconds.
  func whileResting<Result>(within milliseconds: Int, _ body: () -> Result) -> Result? {
    restorer.store(rt_thread(), ordering: .releasing)
    defer { restorer.store(0, ordering: .releasing) }
    return workLock.locked(within: milliseconds, body)
  }

  /// After a run: brings the replies home, and tells every instance that its run has ended. Audio thread.
  ///
  /// - Parameter isAlone: whether nobody listens to this cycle, so that it may take its time.
  @_noLocks @_noAllocation func endRun(isAlone: Bool) {
    if wasAlone.load(ordering: .relaxed) != isAlone {
      wasAlone.store(isAlone, ordering: .relaxed)
      // What was said of who listens is said of another time.
      if isAlone { isHeard.store(false, ordering: .relaxed) }
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

  /// Brings the replies home that are there now, a ring full at most: one who replies as fast as they are
  /// read waits for the next run. The audio thread, or the control thread while the plugin rests.
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

  /// Waits until all that was asked for is done, patience is at an end, or somebody listens again. Only where
  /// nobody does.
  @_semantics("no_performance_analysis")
  private func awaitWork() {
    guard thread != nil, done.load(ordering: .acquiring) != asked.load(ordering: .relaxed) else {
      isOverdue.store(false, ordering: .relaxed)
      return
    }
    guard !isOverdue.load(ordering: .relaxed) else { return }
    var now = timespec()
    clock_gettime(CLOCK_MONOTONIC, &now)
    let end = now.microseconds + patience.load(ordering: .relaxed)
    while done.load(ordering: .acquiring) != asked.load(ordering: .relaxed) {
      if isHeard.load(ordering: .relaxed) { return }
      clock_gettime(CLOCK_MONOTONIC, &now)
      guard now.microseconds < end else {
        isOverdue.store(true, ordering: .relaxed)
        counts.pointee.stoppedWaiting()
        return
      }
      Waiting.sleep(microseconds: 20)
    }
  }

  /// A plugin asks for work: from `run` or a response, or while its state is restored.
  @_noLocks @_noAllocation fileprivate func schedule(
    _ number: UInt32, _ size: UInt32, _ data: UnsafeRawPointer?
  ) -> LV2_Worker_Status {
    guard instances[Int(number)].interface != nil, data != nil || size == 0 else {
      return LV2_WORKER_ERR_UNKNOWN
    }
    let thread = rt_thread()
    // A second writer of the ring, or work within work without an end.
    if working.load(ordering: .relaxed) == thread {
      counts.pointee.refusedWork()
      return LV2_WORKER_ERR_UNKNOWN
    }
    if restorer.load(ordering: .acquiring) == thread {
      workAtOnce(number, size, data)
      return LV2_WORKER_SUCCESS
    }
    guard requests.write(tag: number, data, size: size) else { return LV2_WORKER_ERR_NO_SPACE }
    asked.add(1, ordering: .relaxed)
    wakeUp()
    return LV2_WORKER_SUCCESS
  }

  /// Never blocks; it enters the kernel only if the worker sleeps, once for each piece of work a plugin asks for.
  @_semantics("no_performance_analysis") @inline(never)
  private func wakeUp() { sem_post(wake) }

  /// For a thread that restores a state, which is never the audio thread.
  @_semantics("no_performance_analysis") @inline(never)
  private func workAtOnce(_ number: UInt32, _ size: UInt32, _ data: UnsafeRawPointer?) {
    work(number, size, data)
  }

  /// A plugin replies, from its `work`.
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

/// A plugin calls this from `run`: there our own code is watched as on all of the audio thread.
private func scheduleWork(
  _ handle: LV2_Worker_Schedule_Handle?, _ size: UInt32, _ data: UnsafeRawPointer?
) -> LV2_Worker_Status {
  guard let instance = handle?.assumingMemoryBound(to: PluginWorker.Instance.self) else {
    return LV2_WORKER_ERR_UNKNOWN
  }
  rt_foreign_exit()
  defer { rt_foreign_enter() }
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
