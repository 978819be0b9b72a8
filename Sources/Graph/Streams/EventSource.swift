// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

public import SwiftletSignal

/// Plays MIDI messages that are known beforehand, each on its frame, from the first block on.
///
/// It has no input and one event bus to go out. What finds no room in a block comes at the start of the next.
@safe public final class EventSource: Processor, @unchecked Sendable {
  /// A message of up to four bytes, the first of them lowest.
  public struct Message: BitwiseCopyable, Sendable {
    /// When it comes, counted from the beginning.
    public var frame: Int
    /// Its bytes, and how many of them count.
    public var bytes: UInt32, size: UInt32

    /// A message on a frame.
    public init(frame: Int, bytes: UInt32, size: UInt32) {
      self.frame = frame
      self.bytes = bytes
      self.size = min(size, 4)
    }
  }

  private let messages: UnsafeMutablePointer<Message>
  private let count: Int
  private let length: Int64
  private var next = 0
  /// The frame on which this time began; nil before the first block.
  private var start: Int64?
  /// How many times it begins anew after this one.
  private var timesLeft: Int

  /// A source of `messages`, which are in order. Control thread.
  ///
  /// - Parameters:
  ///   - length: after how many frames it begins anew; 1 or more.
  ///   - times: how many times it plays; nil is for ever.
  public init(_ messages: [Message], length: Int, times: Int?) {
    count = messages.count
    unsafe self.messages = .allocate(capacity: max(count, 1))
    for (place, message) in messages.enumerated() {
      unsafe (self.messages + place).initialize(to: message)
    }
    self.length = Int64(max(length, 1))
    timesLeft = times.map { max($0, 1) - 1 } ?? .max
    super.init()
  }

  deinit { unsafe messages.deallocate() }

  @_noLocks @_noAllocation public override func process(_ block: Block) {
    guard let output = block.output().events, count > 0 else { return }
    let end = block.frame + Int64(block.frameCount)
    var begin = start ?? block.frame
    // Each turn appends a message or begins anew, and a buffer that is full ends it.
    while true {
      if next == count {
        guard timesLeft > 0, begin + length < end else { break }
        timesLeft -= 1
        begin += length
        next = 0
      }
      let message = unsafe messages[next]
      let frame = begin + Int64(message.frame)
      guard frame < end else { break }
      let header = EventHeader(frame: max(frame, block.frame), type: EventType.midi, size: message.size)
      var bytes = message.bytes
      guard unsafe output.append(header, bytes: &bytes) else {
        // It is late, not lost.
        _ = output.takeDropped()
        break
      }
      next += 1
    }
    start = begin
  }
}
