// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

/// The memory behind a block: its buses, its transport and its meters. A block has only four words and points to this
/// memory, so that a block is passed in registers.
@unsafe public struct BlockMemory: BitwiseCopyable {
  /// See ``Block/addresses``; 0 if the channels' addresses change from block to block.
  public var addresses: Int
  /// One ``BusMemory`` for each input bus.
  public var inputs: UnsafePointer<BusMemory>
  /// One ``BusMemory`` for each output bus.
  public var outputs: UnsafePointer<BusMemory>
  /// The numbers of input and output buses.
  public var inputCount: Int32, outputCount: Int32
  /// The state of the transport at the first frame.
  public var transport: UnsafePointer<Transport>
  /// One float for each meter of the effect's description.
  public var meters: UnsafeMutablePointer<Float>

  /// Creates a view of memory that the caller keeps alive.
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
  /// A table with one pointer for each channel; empty for an event bus.
  public var channels: UnsafePointer<UnsafeMutablePointer<Float>>
  /// The number of channels in the table; 0 for an event bus.
  public var channelCount: Int
  /// The events of an event bus; nil for an audio bus.
  public var events: EventBuffer?

  /// Creates an audio bus over `channels`.
  public init(channels: UnsafePointer<UnsafeMutablePointer<Float>>, channelCount: Int) {
    unsafe self.channels = channels
    unsafe self.channelCount = channelCount
    unsafe events = nil
  }

  /// Creates an event bus over `events`; `channels` is a table that is never read.
  public init(events: EventBuffer, channels: UnsafePointer<UnsafeMutablePointer<Float>>) {
    unsafe self.channels = channels
    unsafe channelCount = 0
    unsafe self.events = events
  }
}
