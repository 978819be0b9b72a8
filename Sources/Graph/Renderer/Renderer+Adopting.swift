// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import CSwiftletRealtime

extension Renderer {
  /// The number of bytes of a plan that are prefetched in one cycle. Plans of some hundred nodes are smaller.
  private var fetchBytes: Int { @_noLocks @_noAllocation get { 128 << 10 } }

  /// Takes the newest plan, and adopts it once it is in the cache.
  ///
  /// A new plan is in the cache of the core that wrote it. A plan of thousands of nodes would make the first cycle
  /// that reads it much longer than others, so it is prefetched in parts, one per cycle, while the old plan is used.
  /// While freewheeling, the new plan is adopted immediately.
  @_noLocks @_noAllocation func adoptPlan(_ cycle: Cycle) {
    if unsafe state.pointee.next == nil {
      unsafe state.pointee.next = unsafe exchange.take()
      unsafe state.pointee.fetchedBytes = 0
    }
    guard let next = unsafe state.pointee.next else { return }
    if unsafe state.pointee.plan != nil, unsafe !cycle.isFreewheeling {
      guard unsafe fetchMore(of: next.assumingMemoryBound(to: PlanMemory.self)) else { return }
    }
    if unsafe exchange.replace(&state.pointee.plan, by: next) { unsafe state.pointee.next = nil }
  }

  /// Prefetches the next part of a plan's steps, buses and table.
  ///
  /// - Returns: whether the whole plan has been prefetched.
  @_noLocks @_noAllocation private func fetchMore(of plan: UnsafePointer<PlanMemory>) -> Bool {
    let first = unsafe state.pointee.fetchedBytes, end = first + fetchBytes
    var start = 0
    unsafe start = fetch(plan.pointee.steps, plan.pointee.stepCount, at: start, in: first..<end)
    unsafe start = fetch(plan.pointee.buses, plan.pointee.busCount, at: start, in: first..<end)
    unsafe start = fetch(plan.pointee.table, plan.pointee.tableCount, at: start, in: first..<end)
    unsafe state.pointee.fetchedBytes = end
    return start <= end
  }

  /// Prefetches the part of an array that lies in a range of the plan's bytes.
  ///
  /// - Parameter start: the array's offset in the plan's bytes.
  /// - Returns: the offset of the array's end.
  @_noLocks @_noAllocation private func fetch<Element: BitwiseCopyable>(
    _ array: UnsafePointer<Element>, _ count: Int, at start: Int, in range: Range<Int>
  ) -> Int {
    let end = start + count * MemoryLayout<Element>.stride
    var offset = max(start, range.lowerBound)
    while offset < min(end, range.upperBound) {
      unsafe rt_prefetch(UnsafeRawPointer(array) + (offset - start))
      offset += 64
    }
    return end
  }
}
