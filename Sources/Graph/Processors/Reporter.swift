// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import Synchronization

/// What a processor has to report.
package enum Matter {
  /// It was fed samples that are no sound.
  case badInput
  /// Its latency has changed.
  case latency
  /// It has messages for people.
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

/// Set while the reporter is on its list.
private var listed: Int { @_noLocks @_noAllocation get { 8 } }

/// A processor's place in the list of those that have something to report.
///
/// It reports from any thread, also the audio thread, without a lock or memory: its place in the list lies in the
/// reporter itself. A processor that has nothing to report costs nothing.
// @unchecked: the place is handed over by atomics; `list` is used by control threads, one at a time.
@safe package final class Reporter: @unchecked Sendable {
  /// What other threads may touch.
  @safe package struct Place: ~Copyable {
    /// What there is to report, and whether the reporter is listed.
    fileprivate let matters = Atomic<Int>(0)
    /// The list's first place; nil where nobody listens yet.
    fileprivate let head = unsafe Atomic<UnsafeMutableRawPointer?>(nil)
    fileprivate var next: UnsafeMutableRawPointer?
    fileprivate var node = NodeID(slot: 0)
  }

  /// Where reports are made.
  package let place: UnsafeMutablePointer<Place>
  private var list: ReportList?

  package init() {
    unsafe place = .allocate(capacity: 1)
    unsafe place.initialize(to: Place())
  }

  deinit {
    // Its place may not be in a list any more.
    list?.gather()
    unsafe place.deinitialize(count: 1)
    unsafe place.deallocate()
  }

  /// Reports to `list` from now on, also what came before. Control thread.
  func join(_ list: ReportList, as node: NodeID) {
    if unsafe self.list !== list || place.pointee.node != node {
      self.list?.gather()
      self.list = list
      unsafe place.pointee.node = node
      unsafe place.pointee.head.store(list.head, ordering: .sequentiallyConsistent)
    }
    if unsafe place.pointee.matters.load(ordering: .sequentiallyConsistent) & ~listed != 0 {
      unsafe enlist(place, at: list.head)
    }
  }

  /// Reports. Any thread.
  package func report(_ matter: Matter) { unsafe reportMatter(matter, at: place) }
}

/// Reports that there is something at `place`. Any thread, also the audio thread.
@_noLocks @_noAllocation
package func reportMatter(_ matter: Matter, at place: UnsafeMutablePointer<Reporter.Place>) {
  let before = unsafe place.pointee.matters.bitwiseOr(matter.bit, ordering: .sequentiallyConsistent).oldValue
  if before & listed != 0 { return }
  guard let head = unsafe place.pointee.head.load(ordering: .sequentiallyConsistent) else { return }
  unsafe enlist(place, at: head)
}

/// Puts a place in front of a list, unless it is in it.
@_noLocks @_noAllocation
private func enlist(_ place: UnsafeMutablePointer<Reporter.Place>, at head: UnsafeMutableRawPointer) {
  let before = unsafe place.pointee.matters.bitwiseOr(listed, ordering: .acquiringAndReleasing).oldValue
  if before & listed != 0 { return }
  let first = unsafe head.assumingMemoryBound(to: ReportList.Head.self)
  var next = unsafe first.pointee.place.load(ordering: .relaxed)
  while true {
    unsafe place.pointee.next = unsafe next
    let (isIn, seen) = unsafe first.pointee.place.compareExchange(
      expected: next, desired: UnsafeMutableRawPointer(place), ordering: .releasing)
    if isIn { return }
    unsafe next = unsafe seen
  }
}

/// The processors of a host that have something to report, the last one first.
///
/// A place is in the list once, and only whoever takes the whole list takes it out: so no place can come back while
/// another thread looks at it.
@safe final class ReportList: Sendable {
  @safe struct Head: ~Copyable {
    let place = unsafe Atomic<UnsafeMutableRawPointer?>(nil)
  }

  /// A ``Head``, which lasts as long as the list.
  nonisolated(unsafe) let head: UnsafeMutableRawPointer
  /// What was taken out and nobody has asked for.
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

  /// Takes all places out of the list, and keeps what they report. Control thread.
  func gather() {
    gathered.withLock { gathered in
      let first = unsafe head.assumingMemoryBound(to: Head.self)
      guard unsafe first.pointee.place.load(ordering: .relaxed) != nil else { return }
      var next = unsafe first.pointee.place.exchange(nil, ordering: .acquiring)
      var taken: [(node: NodeID, matters: Int)] = []
      while let memory = unsafe next {
        let place = unsafe memory.assumingMemoryBound(to: Reporter.Place.self)
        // From here on it may be put into the list again.
        unsafe next = unsafe place.pointee.next
        let node = unsafe place.pointee.node
        let matters = unsafe place.pointee.matters.exchange(0, ordering: .acquiringAndReleasing)
        taken.append((node, matters))
      }
      // The last one came first.
      gathered += taken.reversed()
    }
  }

  /// Whom a report is about, and of what; oldest first. Control thread.
  func take() -> [(node: NodeID, matters: [Matter])] {
    gather()
    return gathered.withLock { gathered in
      guard !gathered.isEmpty else { return [] }
      defer { gathered = [] }
      return gathered.map { report in
        (report.node, [Matter.badInput, .latency, .words].filter { report.matters & $0.bit != 0 })
      }
    }
  }
}
