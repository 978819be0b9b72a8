// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

/// The memory of a plan in the making: each piece begins with a line of the cache, and none is empty.
@safe struct PlanSlabs {
  /// All that has been allocated, for the plan to free.
  private(set) var owned: [UnsafeMutableRawPointer] = unsafe []

  /// Room for so many values, each `filler`.
  mutating func room<Value: BitwiseCopyable>(_ count: Int, _ filler: Value) -> UnsafeMutablePointer<Value> {
    unsafe allocate(count, Value.self).initializeMemory(
      as: Value.self, repeating: filler, count: max(count, 1))
  }

  /// Room for so many values, each of zeros.
  mutating func zeros<Value: BitwiseCopyable>(_ count: Int, of type: Value.Type) -> UnsafeMutablePointer<
    Value
  > {
    let memory = unsafe allocate(count, type)
    unsafe memory.initializeMemory(
      as: UInt8.self, repeating: 0, count: max(count, 1) * MemoryLayout<Value>.stride)
    return unsafe memory.bindMemory(to: type, capacity: max(count, 1))
  }

  /// Values one behind the other; room for one that is never read, where there are none.
  mutating func lay<Value: BitwiseCopyable>(_ values: [Value]) -> UnsafePointer<Value> {
    let memory = unsafe zeros(values.count, of: Value.self)
    for (index, value) in values.enumerated() { unsafe memory[index] = value }
    return unsafe UnsafePointer(memory)
  }

  /// Takes over memory that was allocated elsewhere.
  mutating func own(_ memory: UnsafeMutableRawPointer) { unsafe owned.append(memory) }

  private mutating func allocate<Value>(_ count: Int, _ type: Value.Type) -> UnsafeMutableRawPointer {
    let memory = UnsafeMutableRawPointer.allocate(
      byteCount: max(count, 1) * MemoryLayout<Value>.stride, alignment: 64)
    unsafe owned.append(memory)
    return unsafe memory
  }
}
