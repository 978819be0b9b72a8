// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

/// Events that wait for their frame, in a list for each node. Audio thread only.
@safe struct PendingEvents: ~Copyable {
  struct Node: BitwiseCopyable {
    var event: ParameterEvent
    var next: Int32
  }
  /// How many events may wait at once.
  static let capacity = 4096
  private let pool: UnsafeMutablePointer<Node>
  private let free: UnsafeMutablePointer<Int32>
  /// How many events wait.
  private let count: UnsafeMutablePointer<Int>
  /// Stands for a first event: there is none, or there shall be none, since the node is gone.
  private static var none: Int32 { @_noLocks @_noAllocation get { -1 } }
  private static var gone: Int32 { @_noLocks @_noAllocation get { -2 } }
  /// First and last event of each slot.
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

  /// Whether there is room for one more.
  @_noLocks @_noAllocation borrowing func hasRoom() -> Bool { unsafe free.pointee >= 0 }

  /// Puts an event among its node's others, behind those of the same frame. There is room. One for a node that is gone
  /// is dropped.
  ///
  /// Events mostly come in order; one that does not walks past those before it.
  /// - Returns: how many it walked past.
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

  /// Whether no event waits at all.
  @_noLocks @_noAllocation borrowing func isEmpty() -> Bool { unsafe count.pointee == 0 }

  /// Whether no event waits for a node.
  @_noLocks @_noAllocation @inline(__always) borrowing func isEmpty(_ slot: Int32) -> Bool {
    unsafe heads[Int(slot)] < 0
  }

  /// The node's next event. There is one.
  @_noLocks @_noAllocation borrowing func first(_ slot: Int32) -> ParameterEvent {
    unsafe pool[Int(heads[Int(slot)])].event
  }

  /// Forgets the node's next event. There is one.
  @_noLocks @_noAllocation borrowing func removeFirst(_ slot: Int32) {
    let index = unsafe heads[Int(slot)]
    unsafe heads[Int(slot)] = unsafe pool[Int(index)].next
    unsafe pool[Int(index)].next = unsafe free.pointee
    unsafe free.pointee = index
    unsafe count.pointee -= 1
  }

  /// Forgets all that waits for a node that is gone, and all that is still on its way there.
  @_noLocks @_noAllocation borrowing func dismiss(_ slot: Int32) {
    guard slot >= 0, Int(slot) < Graph.mostNodes else { return }
    while !isEmpty(slot) { removeFirst(slot) }
    unsafe heads[Int(slot)] = Self.gone
  }

  /// Takes events for a node of a plan, which may have been gone before.
  @_noLocks @_noAllocation borrowing func welcome(_ slot: Int32) {
    guard slot >= 0, Int(slot) < Graph.mostNodes else { return }
    if unsafe heads[Int(slot)] == Self.gone { unsafe heads[Int(slot)] = Self.none }
  }
}
