// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

public import CSwiftletRealtime

/// The frames that a closure or an effect processes: a view of every input and output bus, with the position in the
/// engine's stream.
///
/// The view is valid only during the call that receives it. Frames are counted from the start of the block; `frame` is
/// the position of that start in the stream.
///
/// The thread is that of the call: in JACK the audio thread.
@safe public struct Block: BitwiseCopyable {
  /// The number of frames to process, 1 or more.
  public let frameCount: Int
  /// The indices of the frames, from 0.
  @inlinable public var frames: Range<Int> {
    @_noLocks @_noAllocation @inline(__always) get { 0..<frameCount }
  }
  /// The absolute position of the first frame since the renderer started.
  public let frame: Int64
  @usableFromInline let memory: UnsafePointer<BlockMemory>
  @usableFromInline let offset: Int

  /// Creates a block over memory that the caller keeps alive during the call, beginning `offset` frames into it.
  @_noLocks @_noAllocation @inlinable @inline(__always) @unsafe package init(
    over memory: UnsafePointer<BlockMemory>, frameCount: Int, frame: Int64, offset: Int = 0
  ) {
    unsafe self.memory = memory
    self.frameCount = frameCount
    self.frame = frame
    self.offset = offset
  }

  /// Whether the block begins at the start of the cycle; false for the later parts of a block that was cut.
  @inlinable package var opensCycle: Bool {
    @_noLocks @_noAllocation @inline(__always) get { offset == 0 }
  }

  /// The number of input buses.
  @inlinable public var inputCount: Int {
    @_noLocks @_noAllocation @inline(__always) get { Int(unsafe memory.pointee.inputCount) }
  }

  /// The number of output buses.
  @inlinable public var outputCount: Int {
    @_noLocks @_noAllocation @inline(__always) get { Int(unsafe memory.pointee.outputCount) }
  }

  /// An identifier for the addresses of all channels, or 0. Blocks with the same identifier other than 0 have the same
  /// addresses, so a processor needs to look them up only once.
  @inlinable package var addresses: Int {
    @_noLocks @_noAllocation @inline(__always) get { offset == 0 ? unsafe memory.pointee.addresses : 0 }
  }

  /// Returns an input bus, which has audio or events.
  @_noLocks @_noAllocation @inlinable @inline(__always) public func input(bus: Int = 0) -> InputBus {
    precondition(UInt(bitPattern: bus) < UInt(bitPattern: inputCount), "no such input bus")
    return unsafe InputBus(memory.pointee.inputs[bus], offset: offset, frameCount: frameCount)
  }

  /// Returns an output bus, for audio or events. A processor must fill every channel of every output.
  @_noLocks @_noAllocation @inlinable @inline(__always) public func output(bus: Int = 0) -> OutputBus {
    precondition(UInt(bitPattern: bus) < UInt(bitPattern: outputCount), "no such output bus")
    return unsafe OutputBus(memory.pointee.outputs[bus], offset: offset, frameCount: frameCount)
  }

  /// The state of the transport at the first frame. A slice has the state of the block that it was cut from.
  @inlinable public var transport: Transport {
    @_noLocks @_noAllocation get { unsafe memory.pointee.transport.pointee }
  }

  /// Publishes a meter value of the effect, such as gain reduction. A control thread reads it with `meter(_:)`.
  ///
  /// - Parameter meter: the index of the meter in the effect's description.
  @_noLocks @_noAllocation @inlinable public func show(_ value: Float, on meter: Int) {
    unsafe rt_store_float(memory.pointee.meters + meter, value)
  }

  /// Returns the `count` frames of the block from `start` on.
  @_noLocks @_noAllocation @inlinable @inline(__always)
  public func slice(from start: Int, count: Int) -> Block {
    precondition(
      0 <= start && start < frameCount && 0 < count && count <= frameCount - start, "slice outside the block")
    return unsafe Block(over: memory, frameCount: count, frame: frame + Int64(start), offset: offset + start)
  }
}
