// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import Glibc
internal import SwiftletDisk

/// A connection to a session of another process. One thread at a time.
package final class ControlConnection {
  /// The connection's descriptor, to wait for a message together with other descriptors.
  package let descriptor: Int32
  private var input: [UInt8] = []
  /// The number of the last request.
  private var number = 0
  private let timeout: Duration

  /// Connects to a session's socket.
  ///
  /// - Parameter timeout: The maximum time to wait for each answer.
  /// - Throws: ``ControlError`` of the kind `noAnswer`.
  package init(_ path: String, timeout: Duration = .seconds(10)) throws(ControlError) {
    descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    self.timeout = timeout
    // For `connect`, which waits if the session does not accept, and for `send`.
    let (seconds, attoseconds) = timeout.components
    var limit = timeval(tv_sec: Int(seconds), tv_usec: Int(attoseconds / 1_000_000_000_000))
    setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
    guard let address = SocketAddress(path), address.use({ connect(descriptor, $0, $1) }) == 0 else {
      throw Self.error(errno)
    }
    guard PeerCredentials.isOwnUser(descriptor) else { throw Self.error(EACCES) }
  }

  deinit { if descriptor >= 0 { Glibc.close(descriptor) } }

  /// Sends a command, and returns the answer.
  ///
  /// - Throws: The error of the answer, or ``ControlError`` of the kind `noAnswer`.
  package func perform(_ command: ControlCommand) throws(ControlError) -> ControlReply {
    number += 1
    try send(ControlRequest(command, id: number).line)
    let end = ContinuousClock.now + timeout
    while true {
      guard let line = try readLine(within: end - ContinuousClock.now) else {
        throw ControlError(.noAnswer, "the session did not answer within \(Int(timeout / .seconds(1))) s")
      }
      guard let reply = ControlReply(line: line) else {
        throw ControlError(
          .noAnswer, "the session sent an answer that cannot be read; it may be of another version")
      }
      // A line without a number is what a subscription sends, unless it is an error: then the request was not read.
      guard reply.id == number || (reply.id == nil && reply.error != nil) else { continue }
      if let error = reply.error { throw error }
      return reply
    }
  }

  /// Reads a line without its newline; nil if none arrives in time.
  ///
  /// - Throws: ``ControlError`` of the kind `noAnswer` if the connection has ended.
  package func readLine(within time: Duration) throws(ControlError) -> [UInt8]? {
    let end = ContinuousClock.now + time
    // The position up to which no newline was found.
    var searched = 0
    while true {
      if let newline = input[searched...].firstIndex(of: UInt8(ascii: "\n")) {
        defer { input.removeSubrange(...newline) }
        return Array(input[..<newline])
      }
      searched = input.count
      guard input.count <= ControlReply.longestLine else { throw Self.error(EMSGSIZE) }
      let left = Int32(clamping: max(Int64((end - ContinuousClock.now) / .milliseconds(1)), 0))
      var waiting = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      let count = poll(&waiting, 1, left)
      if count == 0 { return nil }
      if count < 0, errno != EINTR { throw Self.error(errno) }
      if count > 0 { try receive() }
    }
  }

  private func receive() throws(ControlError) {
    var bytes = [UInt8](repeating: 0, count: 1 << 16)
    let count = recv(descriptor, &bytes, bytes.count, 0)
    if count > 0 {
      input += bytes[..<count]
    } else if count == 0 {
      throw ControlError(.noAnswer, "the session has ended the connection")
    } else if ![EAGAIN, EINTR].contains(errno) {
      throw Self.error(errno)
    }
  }

  private func send(_ bytes: [UInt8]) throws(ControlError) {
    var sent = 0
    while sent < bytes.count {
      let count = bytes.withUnsafeBytes { bytes in
        Glibc.send(
          descriptor, bytes.baseAddress?.advanced(by: sent), bytes.count - sent, Int32(MSG_NOSIGNAL))
      }
      guard count > 0 || errno == EINTR else { throw Self.error(errno) }
      sent += max(count, 0)
    }
  }

  private static func error(_ number: Int32) -> ControlError {
    let reason =
      switch number {
      case ECONNREFUSED, ENOENT, ECONNRESET, EPIPE: "it has ended"
      case EAGAIN, EINPROGRESS: "it does not accept connections"
      default: String(cString: strerror(number))
      }
    return ControlError(.noAnswer, "the session cannot be reached: \(reason)")
  }
}
