// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

public import CSwiftletRealtime

/// What a processor is handed to work on: some frames of every bus, and where in time they lie.
///
/// A block is a view. Its memory belongs to the plan and is valid for the length of one `process` call.
/// Frames are counted from the start of the block; `frame` says where that start lies in the stream.
@safe public struct Block: BitwiseCopyable {
  /// How many frames to work on, 1 or more.
  public let frameCount: Int
  /// The absolute position of the first frame since the renderer started.
  public let frame: Int64
  @usableFromInline let memory: UnsafePointer<BlockMemory>
  @usableFromInline let offset: Int

  /// A block over memory that the caller keeps alive for the call, from `offset` frames into it.
  @_noLocks @_noAllocation @inlinable @inline(__always) @unsafe public init(
    over memory: UnsafePointer<BlockMemory>, frameCount: Int, frame: Int64, offset: Int = 0
  ) {
    unsafe self.memory = memory
    self.frameCount = frameCount
    self.frame = frame
    self.offset = offset
  }

  /// How many input buses there are.
  @inlinable public var inputCount: Int {
    @_noLocks @_noAllocation @inline(__always) get { Int(unsafe memory.pointee.inputCount) }
  }

  /// How many output buses there are.
  @inlinable public var outputCount: Int {
    @_noLocks @_noAllocation @inline(__always) get { Int(unsafe memory.pointee.outputCount) }
  }

  /// Not 0 where the addresses of all channels are those of every other block of the same number: a processor that
  /// has looked them up once need not look again.
  @inlinable public var addresses: Int {
    @_noLocks @_noAllocation @inline(__always) get { offset == 0 ? unsafe memory.pointee.addresses : 0 }
  }

  /// The bus that sound or events come in by.
  @_noLocks @_noAllocation @inlinable @inline(__always) public func input(bus: Int = 0) -> InputBus {
    assert(0 <= bus && bus < inputCount, "no such input bus")
    return unsafe InputBus(memory.pointee.inputs[bus], offset: offset, frameCount: frameCount)
  }

  /// The bus that sound or events go out by. A processor fills every channel of every output.
  @_noLocks @_noAllocation @inlinable @inline(__always) public func output(bus: Int = 0) -> OutputBus {
    assert(0 <= bus && bus < outputCount, "no such output bus")
    return unsafe OutputBus(memory.pointee.outputs[bus], offset: offset, frameCount: frameCount)
  }

  /// Tempo, bar and beat at the first frame.
  @inlinable public var transport: Transport {
    @_noLocks @_noAllocation get { unsafe memory.pointee.transport.pointee }
  }

  /// Shows a value to the control thread: gain reduction, a detected pitch.
  ///
  /// - Parameter meter: the meter's place in the unit's description.
  @_noLocks @_noAllocation @inlinable public func show(_ value: Float, on meter: Int) {
    unsafe rt_store_float(memory.pointee.meters + meter, value)
  }

  /// The part of the block from `start` on, `count` frames long: what is left after a cut.
  @_noLocks @_noAllocation @inlinable @inline(__always)
  public func slice(from start: Int, count: Int) -> Block {
    assert(0 <= start && count > 0 && start + count <= frameCount, "slice outside the block")
    return unsafe Block(over: memory, frameCount: count, frame: frame + Int64(start), offset: offset + start)
  }
}

/// The memory behind a block: its buses, its transport and its meters. Four words of a block point into it, so that
/// a block travels in registers.
@unsafe public struct BlockMemory: BitwiseCopyable {
  /// See ``Block/addresses``; 0 where channels move from block to block.
  public var addresses: Int
  /// One ``BusMemory`` an input bus.
  public var inputs: UnsafePointer<BusMemory>
  /// One ``BusMemory`` an output bus.
  public var outputs: UnsafePointer<BusMemory>
  /// How many input and output buses there are.
  public var inputCount: Int32, outputCount: Int32
  /// Tempo, bar and beat at the first frame.
  public var transport: UnsafePointer<Transport>
  /// One float for each meter of the unit's description.
  public var meters: UnsafeMutablePointer<Float>

  /// Memory that the caller keeps alive.
  public init(
    inputs: UnsafePointer<BusMemory>, inputCount: Int, outputs: UnsafePointer<BusMemory>, outputCount: Int,
    transport: UnsafePointer<Transport>, meters: UnsafeMutablePointer<Float>, addresses: Int = 0
  ) {
    unsafe self.inputs = inputs
    unsafe self.inputCount = Int32(clamping: inputCount)
    unsafe self.outputs = outputs
    unsafe self.outputCount = Int32(clamping: outputCount)
    unsafe self.transport = transport
    unsafe self.meters = meters
    unsafe self.addresses = addresses
  }
}

/// The memory behind one bus: a table of channels, or an event buffer.
@unsafe public struct BusMemory: BitwiseCopyable {
  /// A table with one pointer a channel; empty for an event bus.
  public var channels: UnsafePointer<UnsafeMutablePointer<Float>>
  /// How many channels the table has; 0 for an event bus.
  public var channelCount: Int
  /// The events of an event bus; nil for audio.
  public var events: EventBuffer?

  /// An audio bus over `channels`.
  public init(channels: UnsafePointer<UnsafeMutablePointer<Float>>, channelCount: Int) {
    unsafe self.channels = channels
    unsafe self.channelCount = channelCount
    unsafe events = nil
  }

  /// An event bus over `events`; `channels` is a table nobody reads.
  public init(events: EventBuffer, channels: UnsafePointer<UnsafeMutablePointer<Float>>) {
    unsafe self.channels = channels
    unsafe channelCount = 0
    unsafe self.events = events
  }
}

/// A bus to read: channels of samples, or events.
@safe public struct InputBus: BitwiseCopyable {
  @usableFromInline let memory: BusMemory
  @usableFromInline let offset: Int
  /// How many frames each channel has.
  public let frameCount: Int

  @_noLocks @_noAllocation @inlinable @inline(__always)
  init(_ memory: BusMemory, offset: Int, frameCount: Int) {
    unsafe self.memory = memory
    self.offset = offset
    self.frameCount = frameCount
  }

  /// How many channels the bus carries; 0 for an event bus.
  @inlinable public var channelCount: Int {
    @_noLocks @_noAllocation @inline(__always) get { unsafe memory.channelCount }
  }

  /// One channel, counted from 0.
  @inlinable public subscript(channel: Int) -> Samples {
    @_noLocks @_noAllocation @inline(__always) get {
      assert(0 <= channel && channel < channelCount, "no such channel")
      return unsafe Samples(memory.channels[channel] + offset, count: frameCount)
    }
  }

  /// The events of an event bus; empty on an audio bus. Their frames are absolute.
  @inlinable public var events: EventBuffer? {
    @_noLocks @_noAllocation get { unsafe memory.events }
  }
}

/// A bus to write: channels of samples, or events.
@safe public struct OutputBus: BitwiseCopyable {
  @usableFromInline let memory: BusMemory
  @usableFromInline let offset: Int
  /// How many frames each channel has.
  public let frameCount: Int

  @_noLocks @_noAllocation @inlinable @inline(__always)
  init(_ memory: BusMemory, offset: Int, frameCount: Int) {
    unsafe self.memory = memory
    self.offset = offset
    self.frameCount = frameCount
  }

  /// How many channels the bus carries; 0 for an event bus.
  @inlinable public var channelCount: Int {
    @_noLocks @_noAllocation @inline(__always) get { unsafe memory.channelCount }
  }

  /// One channel, counted from 0.
  @inlinable public subscript(channel: Int) -> MutableSamples {
    @_noLocks @_noAllocation @inline(__always) get {
      assert(0 <= channel && channel < channelCount, "no such channel")
      return unsafe MutableSamples(memory.channels[channel] + offset, count: frameCount)
    }
  }

  /// Where events go; nil on an audio bus. Their frames are absolute.
  @inlinable public var events: EventBuffer? {
    @_noLocks @_noAllocation get { unsafe memory.events }
  }
}
