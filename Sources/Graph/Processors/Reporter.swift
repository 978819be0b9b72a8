// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import Synchronization

/// The kind of a processor's report.
package enum ReportKind {
  /// The processor received invalid samples: NaN, infinite, or larger than 10¹⁵ in magnitude.
  case badInput
  /// The processor's latency has changed.
  case latency
  /// The processor has messages for the user.
  case words

  fileprivate var bit: Int {
    @_noLocks @_noAllocation get {
      switch self {
      case .badInput: 1
      case .latency: 2
      case .words: 4
      }
    }
  }
}

/// The bit that is set while the reporter is in its list.
private var listed: Int { @_noLocks @_noAllocation get { 8 } }

/// A processor's entry in the list of those that have something to report.
///
/// It can report from any thread, including the audio thread, without locks or allocation: the list's node is stored
/// in the reporter itself. A processor that has nothing to report costs nothing.
// @unchecked: atomics pass the node between threads; only control threads use `list`, one at a time.
@safe package final class Reporter: @unchecked Sendable {
  /// The list's node, which other threads may use.
  @safe package struct Slot: ~Copyable {
    /// The pending reports, as bits, and whether the reporter is in the list.
    fileprivate let matters = Atomic<Int>(0)
    /// The list's head; nil until the reporter has joined a list.
    fileprivate let head = unsafe Atomic<UnsafeMutableRawPointer?>(nil)
    fileprivate var next: UnsafeMutableRawPointer?
    fileprivate var node = NodeID(slot: 0)
  }

  /// The list's node, at which reports are made.
  package let slot: UnsafeMutablePointer<Slot>
  private var list: ReportList?

  package init() {
    unsafe slot = .allocate(capacity: 1)
    unsafe slot.initialize(to: Slot())
  }

  deinit {
    // The node must not be in a list any more.
    list?.gather()
    unsafe slot.deinitialize(count: 1)
    unsafe slot.deallocate()
  }

  /// Reports to `list` from now on, including earlier reports. Control threads only.
  func join(_ list: ReportList, as node: NodeID) {
    if unsafe self.list !== list || slot.pointee.node != node {
      self.list?.gather()
      self.list = list
      unsafe slot.pointee.node = node
      unsafe slot.pointee.head.store(list.head, ordering: .sequentiallyConsistent)
    }
    if unsafe slot.pointee.matters.load(ordering: .sequentiallyConsistent) & ~listed != 0 {
      unsafe insert(slot, at: list.head)
    }
  }

  /// Makes a report. Any thread.
  package func report(_ matter: ReportKind) { unsafe reportMatter(matter, at: slot) }
}

/// Makes a report at `slot`. Any thread, including the audio thread.
@_noLocks @_noAllocation
package func reportMatter(_ matter: ReportKind, at slot: UnsafeMutablePointer<Reporter.Slot>) {
  let before = unsafe slot.pointee.matters.bitwiseOr(matter.bit, ordering: .sequentiallyConsistent).oldValue
  if before & listed != 0 { return }
  guard let head = unsafe slot.pointee.head.load(ordering: .sequentiallyConsistent) else { return }
  unsafe insert(slot, at: head)
}

/// Inserts a node at the front of a list, unless it is in it.
@_noLocks @_noAllocation
private func insert(_ slot: UnsafeMutablePointer<Reporter.Slot>, at head: UnsafeMutableRawPointer) {
  let before = unsafe slot.pointee.matters.bitwiseOr(listed, ordering: .acquiringAndReleasing).oldValue
  if before & listed != 0 { return }
  let list = unsafe head.assumingMemoryBound(to: ReportList.Head.self)
  var next = unsafe list.pointee.first.load(ordering: .relaxed)
  while true {
    unsafe slot.pointee.next = unsafe next
    let (isIn, seen) = unsafe list.pointee.first.compareExchange(
      expected: next, desired: UnsafeMutableRawPointer(slot), ordering: .releasing)
    if isIn { return }
    unsafe next = unsafe seen
  }
}

/// The processors of a graph controller that have something to report, the latest first.
///
/// A node is in the list at most once, and nodes are removed only by taking the whole list, so no node can be
/// reinserted while another thread reads it.
@safe final class ReportList: Sendable {
  @safe struct Head: ~Copyable {
    let first = unsafe Atomic<UnsafeMutableRawPointer?>(nil)
  }

  /// The ``Head``, which lives as long as the list.
  nonisolated(unsafe) let head: UnsafeMutableRawPointer
  /// Reports that were taken from the list and not requested yet.
  private let gathered = Mutex<[(node: NodeID, matters: Int)]>([])

  init() {
    let memory = UnsafeMutablePointer<Head>.allocate(capacity: 1)
    unsafe memory.initialize(to: Head())
    unsafe head = UnsafeMutableRawPointer(memory)
  }

  deinit {
    let memory = unsafe head.assumingMemoryBound(to: Head.self)
    unsafe memory.deinitialize(count: 1)
    unsafe memory.deallocate()
  }

  /// Takes all nodes from the list, and stores their reports. Control threads only.
  func gather() {
    gathered.withLock { gathered in
      let list = unsafe head.assumingMemoryBound(to: Head.self)
      guard unsafe list.pointee.first.load(ordering: .relaxed) != nil else { return }
      var next = unsafe list.pointee.first.exchange(nil, ordering: .acquiring)
      var taken: [(node: NodeID, matters: Int)] = []
      while let memory = unsafe next {
        let slot = unsafe memory.assumingMemoryBound(to: Reporter.Slot.self)
        // After the exchange below, the node may be inserted again.
        unsafe next = unsafe slot.pointee.next
        let node = unsafe slot.pointee.node
        let matters = unsafe slot.pointee.matters.exchange(0, ordering: .acquiringAndReleasing)
        taken.append((node, matters))
      }
      // The list has the latest report first.
      gathered += taken.reversed()
    }
  }

  /// Returns the reports with the nodes that they concern, oldest first. Control threads only.
  func take() -> [(node: NodeID, matters: [ReportKind])] {
    gather()
    return gathered.withLock { gathered in
      guard !gathered.isEmpty else { return [] }
      defer { gathered = [] }
      return gathered.map { report in
        (report.node, [ReportKind.badInput, .latency, .words].filter { report.matters & $0.bit != 0 })
      }
    }
  }
}
