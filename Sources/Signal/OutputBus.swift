// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

/// A bus to write: channels of samples, or events.
///
/// It is valid as long as its ``Block``, on the same thread.
@safe public struct OutputBus: BitwiseCopyable {
  @usableFromInline let memory: BusMemory
  @usableFromInline let offset: Int
  /// The number of frames in each channel.
  @usableFromInline package let frameCount: Int

  @_noLocks @_noAllocation @inlinable @inline(__always)
  init(_ memory: BusMemory, offset: Int, frameCount: Int) {
    unsafe self.memory = memory
    self.offset = offset
    self.frameCount = frameCount
  }

  /// The number of channels; 0 for an event bus.
  @inlinable public var channelCount: Int {
    @_noLocks @_noAllocation @inline(__always) get { unsafe memory.channelCount }
  }

  /// The channel at this index, from 0.
  @inlinable public subscript(channel: Int) -> MutableSamples {
    @_noLocks @_noAllocation @inline(__always) get {
      precondition(UInt(bitPattern: channel) < UInt(bitPattern: channelCount), "no such channel")
      return unsafe MutableSamples(memory.channels[channel] + offset, count: frameCount)
    }
  }

  /// The buffer that events are written to, with absolute frames; nil for an audio bus.
  @inlinable public var events: EventBuffer? {
    @_noLocks @_noAllocation get { unsafe memory.events }
  }
}
