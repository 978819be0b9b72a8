// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import Glibc

/// A client of a session's socket: its connection, its unread and unsent bytes, and its subscription. All calls return
/// at once.
final class ServedClient {
  /// A subscription of a client, and the part of it that was sent.
  struct Watch {
    var subscription: ControlSubscription
    /// The indices of the watched entries.
    var indices: [Int]
    /// The turn of ``ValueWatch`` and the position in ``ControlEventLog`` up to which everything was sent.
    var turn: UInt64 = 0, events: Int
    /// The time of the next message.
    var due: ContinuousClock.Instant
  }

  let descriptor: Int32
  var watch: Watch?
  /// Whether no more is read: the client has closed its side, or it sent a line that is too long.
  private(set) var isDeaf = false
  /// Whether the connection has failed.
  private(set) var hasFailed = false
  private var input: [UInt8] = []
  /// The number of bytes of `input` that were taken already, and the number of those in which no newline was found.
  private var taken = 0, searched = 0
  private var output: [UInt8] = []
  /// The number of bytes of `output` that are sent already.
  private var sent = 0
  /// The time at which the client last took bytes, or had none to take.
  private(set) var lastProgress = ContinuousClock.now

  init(_ descriptor: Int32) { self.descriptor = descriptor }

  deinit { Glibc.close(descriptor) }

  /// The number of bytes that the client has not taken yet.
  var waiting: Int { output.count - sent }

  /// Whether more may be read: the client has not closed its side, and few bytes wait to be read.
  var hasRoom: Bool { !isDeaf && input.count - taken <= ControlRequest.longestLine }

  /// Whether a line has arrived that was not taken yet.
  var hasLine: Bool { lineEnd != nil }

  /// Whether nothing is left to do for the client.
  var isDone: Bool { hasFailed || (isDeaf && input.count == taken && waiting == 0) }

  /// Reads what has arrived, at most 64 KiB.
  func receive() {
    guard !isDeaf else {
      // Nothing more is read, so the other side has closed the connection.
      hasFailed = true
      return
    }
    var bytes = [UInt8](repeating: 0, count: ControlRequest.longestLine)
    let count = recv(descriptor, &bytes, bytes.count, Int32(MSG_DONTWAIT))
    if count > 0 {
      input.removeFirst(taken)
      (taken, searched) = (0, searched - taken)
      input += bytes[..<count]
    } else if count == 0 {
      isDeaf = true
    } else if ![EAGAIN, EINTR].contains(errno) {
      hasFailed = true
    }
  }

  /// Removes and returns the next line without its newline; nil if there is none yet.
  ///
  /// - Throws: ``ControlError`` of the kind `tooLong`. Nothing more is read then, since the end of the line is unknown.
  func takeLine() throws(ControlError) -> [UInt8]? {
    guard let end = lineEnd else {
      if input.count - taken > ControlRequest.longestLine {
        (input, taken, searched, isDeaf) = ([], 0, 0, true)
        throw ControlError(
          .tooLong, "the line is longer than \(ControlRequest.longestLine) bytes; the connection ends")
      }
      // Bytes without a newline, before the client closed its side, are no line.
      if isDeaf { (input, taken, searched) = ([], 0, 0) }
      return nil
    }
    defer { (taken, searched) = (end + 1, end + 1) }
    return Array(input[taken..<end])
  }

  /// The index of the newline of the next line; nil if there is none yet. Each byte is searched once.
  private var lineEnd: Int? {
    if searched < input.count, input[searched] == UInt8(ascii: "\n") { return searched }
    searched = input[searched...].firstIndex(of: UInt8(ascii: "\n")) ?? input.count
    return searched < input.count ? searched : nil
  }

  /// Adds bytes to what is sent.
  func send(_ bytes: [UInt8]) {
    if waiting == 0 { lastProgress = .now }
    output += bytes
    flush()
  }

  /// Sends what the connection takes now.
  func flush() {
    while waiting > 0, !hasFailed {
      let count = output.withUnsafeBytes { bytes in
        Glibc.send(
          descriptor, bytes.baseAddress?.advanced(by: sent), bytes.count - sent,
          Int32(MSG_DONTWAIT | MSG_NOSIGNAL))
      }
      guard count > 0 else {
        if ![EAGAIN, EINTR].contains(errno) { hasFailed = true }
        break
      }
      sent += count
      lastProgress = .now
    }
    if sent == output.count {
      (output, sent) = ([], 0)
    } else if sent > 1 << 20 {
      output.removeFirst(sent)
      sent = 0
    }
  }
}
