// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

/// What a processor is handed to work on: some frames of every bus, and where in time they lie.
///
/// A block is a view. Its memory belongs to the plan and is valid for the length of one `process` call.
/// Frames are counted from the start of the block; `frame` says where that start lies in the stream.
@safe public struct Block: BitwiseCopyable {
  /// How many frames to work on, 1 or more.
  public let frameCount: Int
  /// The absolute position of the first frame since the renderer started.
  public let frame: Int64
  /// How many input and output buses there are.
  public let inputCount: Int, outputCount: Int
  @usableFromInline let inputs: UnsafePointer<BusMemory>
  @usableFromInline let outputs: UnsafePointer<BusMemory>
  @usableFromInline let offset: Int
  @usableFromInline let time: UnsafePointer<Transport>
  @usableFromInline let meters: UnsafeMutablePointer<Float>

  /// A block over memory that the caller keeps alive for the call.
  ///
  /// - Parameters:
  ///   - inputs: one ``BusMemory`` an input bus; `outputs` likewise.
  ///   - offset: where the block starts in that memory, in frames.
  ///   - meters: one float for each meter of the unit's description.
  @_noLocks @_noAllocation @inlinable @inline(__always) @unsafe public init(
    frameCount: Int, frame: Int64, offset: Int = 0,
    inputs: UnsafePointer<BusMemory>, inputCount: Int,
    outputs: UnsafePointer<BusMemory>, outputCount: Int,
    transport: UnsafePointer<Transport>, meters: UnsafeMutablePointer<Float>
  ) {
    self.frameCount = frameCount
    self.frame = frame
    self.offset = offset
    unsafe self.inputs = inputs
    self.inputCount = inputCount
    unsafe self.outputs = outputs
    self.outputCount = outputCount
    unsafe time = transport
    unsafe self.meters = meters
  }

  /// The bus that sound or events come in by.
  @_noLocks @_noAllocation @inlinable @inline(__always) public func input(bus: Int = 0) -> InputBus {
    assert(0 <= bus && bus < inputCount, "no such input bus")
    return unsafe InputBus(inputs[bus], offset: offset, frameCount: frameCount)
  }

  /// The bus that sound or events go out by. A processor fills every channel of every output.
  @_noLocks @_noAllocation @inlinable @inline(__always) public func output(bus: Int = 0) -> OutputBus {
    assert(0 <= bus && bus < outputCount, "no such output bus")
    return unsafe OutputBus(outputs[bus], offset: offset, frameCount: frameCount)
  }

  /// Tempo, bar and beat at the first frame.
  @inlinable public var transport: Transport {
    @_noLocks @_noAllocation get { unsafe time.pointee }
  }

  /// Shows a value to the control thread: gain reduction, a detected pitch.
  ///
  /// - Parameter meter: the meter's place in the unit's description.
  @_noLocks @_noAllocation @inlinable public func show(_ value: Float, on meter: Int) {
    unsafe meters[meter] = value
  }

  /// The part of the block from `start` on, `count` frames long: what is left after a cut.
  @_noLocks @_noAllocation @inlinable @inline(__always) public func slice(from start: Int, count: Int) -> Block {
    assert(0 <= start && count > 0 && start + count <= frameCount, "slice outside the block")
    return unsafe Block(
      frameCount: count, frame: frame + Int64(start), offset: offset + start,
      inputs: inputs, inputCount: inputCount, outputs: outputs, outputCount: outputCount,
      transport: time, meters: meters)
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

  @_noLocks @_noAllocation @inlinable @inline(__always) init(_ memory: BusMemory, offset: Int, frameCount: Int) {
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

  @_noLocks @_noAllocation @inlinable @inline(__always) init(_ memory: BusMemory, offset: Int, frameCount: Int) {
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
