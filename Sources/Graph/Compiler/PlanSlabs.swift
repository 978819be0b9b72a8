// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

/// The memory of a plan under construction: each allocation is aligned to a cache line, and none is empty.
@safe struct PlanSlabs {
  /// All allocations, which the plan frees.
  private(set) var owned: [UnsafeMutableRawPointer] = unsafe []

  /// Allocates memory for `count` values, initialized to `value`.
  mutating func filled<Value: BitwiseCopyable>(_ count: Int, _ value: Value) -> UnsafeMutablePointer<Value> {
    unsafe allocate(count, Value.self).initializeMemory(
      as: Value.self, repeating: value, count: max(count, 1))
  }

  /// Allocates zeroed memory for `count` values.
  mutating func zeros<Value: BitwiseCopyable>(_ count: Int, of type: Value.Type) -> UnsafeMutablePointer<
    Value
  > {
    let memory = unsafe allocate(count, type)
    unsafe memory.initializeMemory(
      as: UInt8.self, repeating: 0, count: max(count, 1) * MemoryLayout<Value>.stride)
    return unsafe memory.bindMemory(to: type, capacity: max(count, 1))
  }

  /// Allocates and copies an array; an empty array gets space for one value that is never read.
  mutating func copy<Value: BitwiseCopyable>(_ values: [Value]) -> UnsafePointer<Value> {
    let memory = unsafe zeros(values.count, of: Value.self)
    for (index, value) in values.enumerated() { unsafe memory[index] = value }
    return unsafe UnsafePointer(memory)
  }

  /// Takes ownership of memory that was allocated elsewhere.
  mutating func own(_ memory: UnsafeMutableRawPointer) { unsafe owned.append(memory) }

  private mutating func allocate<Value>(_ count: Int, _ type: Value.Type) -> UnsafeMutableRawPointer {
    let memory = UnsafeMutableRawPointer.allocate(
      byteCount: max(count, 1) * MemoryLayout<Value>.stride, alignment: 64)
    unsafe owned.append(memory)
    return unsafe memory
  }
}
