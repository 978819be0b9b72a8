// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

public import CSwiftletRealtime

/// The frames that a closure or an effect works on: a view of every input and output bus, with the position in the
/// engine's stream.
///
/// The view is valid during the call that gets it. Frames are counted from the start of the block; `frame` is the
/// position of that start in the stream.
@safe public struct Block: BitwiseCopyable {
  /// How many frames to work on, 1 or more.
  public let frameCount: Int
  /// The numbers of its frames, from 0.
  @inlinable public var frames: Range<Int> {
    @_noLocks @_noAllocation @inline(__always) get { 0..<frameCount }
  }
  /// The absolute position of the first frame since the renderer started.
  public let frame: Int64
  @usableFromInline let memory: UnsafePointer<BlockMemory>
  @usableFromInline let offset: Int

  /// A block over memory that the caller keeps alive for the call, from `offset` frames into it.
  @_noLocks @_noAllocation @inlinable @inline(__always) @unsafe package init(
    over memory: UnsafePointer<BlockMemory>, frameCount: Int, frame: Int64, offset: Int = 0
  ) {
    unsafe self.memory = memory
    self.frameCount = frameCount
    self.frame = frame
    self.offset = offset
  }

  /// Whether it begins where the cycle does; else it is what is left after a cut.
  @inlinable package var opensCycle: Bool {
    @_noLocks @_noAllocation @inline(__always) get { offset == 0 }
  }

  /// How many input buses there are.
  @inlinable public var inputCount: Int {
    @_noLocks @_noAllocation @inline(__always) get { Int(unsafe memory.pointee.inputCount) }
  }

  /// How many output buses there are.
  @inlinable public var outputCount: Int {
    @_noLocks @_noAllocation @inline(__always) get { Int(unsafe memory.pointee.outputCount) }
  }

  /// Not 0 where the addresses of all channels are those of every other block of the same number: a
  /// processor that has looked them up once need not look again.
  @inlinable package var addresses: Int {
    @_noLocks @_noAllocation @inline(__always) get { offset == 0 ? unsafe memory.pointee.addresses : 0 }
  }

  /// The bus that sound or events come in by.
  @_noLocks @_noAllocation @inlinable @inline(__always) public func input(bus: Int = 0) -> InputBus {
    precondition(UInt(bitPattern: bus) < UInt(bitPattern: inputCount), "no such input bus")
    return unsafe InputBus(memory.pointee.inputs[bus], offset: offset, frameCount: frameCount)
  }

  /// The bus that sound or events go out by. A processor fills every channel of every output.
  @_noLocks @_noAllocation @inlinable @inline(__always) public func output(bus: Int = 0) -> OutputBus {
    precondition(UInt(bitPattern: bus) < UInt(bitPattern: outputCount), "no such output bus")
    return unsafe OutputBus(memory.pointee.outputs[bus], offset: offset, frameCount: frameCount)
  }

  /// Tempo, bar and beat at the first frame.
  @inlinable public var transport: Transport {
    @_noLocks @_noAllocation get { unsafe memory.pointee.transport.pointee }
  }

  /// Shows a value on a meter of the effect, such as gain reduction, for `meter(_:)` on a control thread.
  ///
  /// - Parameter meter: the index of the meter in the effect's description.
  @_noLocks @_noAllocation @inlinable public func show(_ value: Float, on meter: Int) {
    unsafe rt_store_float(memory.pointee.meters + meter, value)
  }

  /// The part of the block from `start` on, `count` frames long: what is left after a cut.
  @_noLocks @_noAllocation @inlinable @inline(__always)
  public func slice(from start: Int, count: Int) -> Block {
    precondition(
      0 <= start && start < frameCount && 0 < count && count <= frameCount - start, "slice outside the block")
    return unsafe Block(over: memory, frameCount: count, frame: frame + Int64(start), offset: offset + start)
  }
}
