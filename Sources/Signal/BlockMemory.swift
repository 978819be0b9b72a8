// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

/// The memory behind a block: its buses, its transport and its meters. Four words of a block point into it,
/// so that a block travels in registers.
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
