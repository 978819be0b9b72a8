// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

/// Events that wait for their frame, in one list per node. Audio thread only.
@safe struct PendingEvents: ~Copyable {
  struct Node: BitwiseCopyable {
    var event: ParameterEvent
    var next: Int32
  }
  /// The maximum number of waiting events.
  static let capacity = 4096
  private let pool: UnsafeMutablePointer<Node>
  private let free: UnsafeMutablePointer<Int32>
  /// The number of waiting events.
  private let count: UnsafeMutablePointer<Int>
  /// Markers in `heads`: `none` for an empty list, `gone` for a removed node, whose events are dropped.
  private static var none: Int32 { @_noLocks @_noAllocation get { -1 } }
  private static var gone: Int32 { @_noLocks @_noAllocation get { -2 } }
  /// The first and last event of each slot.
  private let heads: UnsafeMutablePointer<Int32>, tails: UnsafeMutablePointer<Int32>

  init() {
    unsafe pool = .allocate(capacity: Self.capacity)
    let empty = ParameterEvent(frame: 0, slot: 0, parameter: 0, value: 0, glide: 0)
    unsafe pool.initialize(repeating: Node(event: empty, next: -1), count: Self.capacity)
    for index in 0..<Self.capacity - 1 { unsafe pool[index].next = Int32(index + 1) }
    unsafe free = .allocate(capacity: 1)
    unsafe free.initialize(to: 0)
    unsafe count = .allocate(capacity: 1)
    unsafe count.initialize(to: 0)
    unsafe heads = .allocate(capacity: Graph.mostNodes)
    unsafe heads.initialize(repeating: -1, count: Graph.mostNodes)
    unsafe tails = .allocate(capacity: Graph.mostNodes)
    unsafe tails.initialize(repeating: -1, count: Graph.mostNodes)
  }

  deinit {
    unsafe pool.deallocate()
    unsafe free.deallocate()
    unsafe count.deallocate()
    unsafe heads.deallocate()
    unsafe tails.deallocate()
  }

  /// Returns whether there is space for another event.
  @_noLocks @_noAllocation borrowing func hasRoom() -> Bool { unsafe free.pointee >= 0 }

  /// Inserts an event into its node's list, after the events of the same frame. There must be space. An event for a
  /// removed node is dropped.
  ///
  /// Events mostly arrive in order; for others, the function searches the list.
  /// - Returns: the number of list entries that it passed.
  @_noLocks @_noAllocation borrowing func insert(_ event: ParameterEvent) -> Int {
    let index = unsafe free.pointee
    guard index >= 0, event.slot >= 0, Int(event.slot) < Graph.mostNodes else { return 0 }
    guard unsafe heads[Int(event.slot)] != Self.gone else { return 0 }
    unsafe free.pointee = unsafe pool[Int(index)].next
    unsafe pool[Int(index)] = Node(event: event, next: -1)
    unsafe count.pointee += 1
    let slot = Int(event.slot)
    if unsafe heads[slot] < 0 {
      unsafe heads[slot] = index
      unsafe tails[slot] = index
    } else if unsafe pool[Int(tails[slot])].event.frame <= event.frame {
      unsafe pool[Int(tails[slot])].next = index
      unsafe tails[slot] = index
    } else if unsafe pool[Int(heads[slot])].event.frame > event.frame {
      unsafe pool[Int(index)].next = unsafe heads[slot]
      unsafe heads[slot] = index
    } else {
      var before = unsafe heads[slot], passed = 1
      while unsafe pool[Int(pool[Int(before)].next)].event.frame <= event.frame {
        before = unsafe pool[Int(before)].next
        passed += 1
      }
      unsafe pool[Int(index)].next = unsafe pool[Int(before)].next
      unsafe pool[Int(before)].next = index
      return passed
    }
    return 0
  }

  /// Returns whether no event waits.
  @_noLocks @_noAllocation borrowing func isEmpty() -> Bool { unsafe count.pointee == 0 }

  /// Returns whether no event waits for a node.
  @_noLocks @_noAllocation @inline(__always) borrowing func isEmpty(_ slot: Int32) -> Bool {
    unsafe heads[Int(slot)] < 0
  }

  /// Returns the node's next event, which must exist.
  @_noLocks @_noAllocation borrowing func first(_ slot: Int32) -> ParameterEvent {
    unsafe pool[Int(heads[Int(slot)])].event
  }

  /// Removes the node's next event, which must exist.
  @_noLocks @_noAllocation borrowing func removeFirst(_ slot: Int32) {
    let index = unsafe heads[Int(slot)]
    unsafe heads[Int(slot)] = unsafe pool[Int(index)].next
    unsafe pool[Int(index)].next = unsafe free.pointee
    unsafe free.pointee = index
    unsafe count.pointee -= 1
  }

  /// Drops all events of a removed node, and those that arrive for it later.
  @_noLocks @_noAllocation borrowing func dismiss(_ slot: Int32) {
    guard slot >= 0, Int(slot) < Graph.mostNodes else { return }
    while !isEmpty(slot) { removeFirst(slot) }
    unsafe heads[Int(slot)] = Self.gone
  }

  /// Accepts events again for a node that is back in a plan.
  @_noLocks @_noAllocation borrowing func acceptEvents(_ slot: Int32) {
    guard slot >= 0, Int(slot) < Graph.mostNodes else { return }
    if unsafe heads[Int(slot)] == Self.gone { unsafe heads[Int(slot)] = Self.none }
  }
}
