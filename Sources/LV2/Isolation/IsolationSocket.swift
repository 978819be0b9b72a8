// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import Glibc

/// A message between the host and the child of isolated plugins.
struct IsolationMessage {
  /// The first line of cases is sent by the host. The second is the child's replies. The third is the child's
  /// requests, on the socket for names or while the host waits for `done`. The fourth is the host's replies to
  /// these requests.
  enum Kind: UInt32 {
    case activate, deactivate, cleanUp, save, restore, deliver, program, select
    case ready, failed, done
    case map, unmap, ownPath, retrieve, abstractPath, absolutePath, makePath
    case answer, nothing
  }

  var kind: Kind
  /// An instance index, a URID or a status, depending on the kind.
  var number: UInt32 = 0
  /// The type and the flags of a property, or the bank and the number of a program.
  var type: UInt32 = 0, flags: UInt32 = 0
  var bytes: [UInt8] = []

  /// The bytes as text.
  var text: String { String(decoding: bytes, as: UTF8.self) }

  /// The maximum size of a message in bytes; a longer one is rejected.
  static let mostBytes = 1 << 28
  /// The maximum size of a name or a path in bytes.
  static let mostBytesOfName = 1 << 16
}

/// A connection between host and child. One thread at a time in each direction.
struct IsolationSocket: Sendable {
  let descriptor: Int32

  private struct Head: BitwiseCopyable {
    var kind: UInt32, number: UInt32, type: UInt32, flags: UInt32, size: UInt32
  }

  /// Sends a message; returns false if the peer has closed the socket.
  @discardableResult func send(_ message: IsolationMessage) -> Bool {
    let head = Head(
      kind: message.kind.rawValue, number: message.number, type: message.type, flags: message.flags,
      size: UInt32(clamping: message.bytes.count))
    return withUnsafeBytes(of: head) { $0.withMemoryRebound(to: UInt8.self, send) }
      && message.bytes.withUnsafeBufferPointer(send)
  }

  private func send(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    var rest = bytes[...]
    while let start = UnsafeBufferPointer(rebasing: rest).baseAddress, !rest.isEmpty {
      let sent = Glibc.send(descriptor, start, rest.count, Int32(MSG_NOSIGNAL))
      if sent < 0, errno == EINTR { continue }
      guard sent > 0 else { return false }
      rest = rest.dropFirst(sent)
    }
    return true
  }

  /// Waits for a message; nil if none arrives in time, if the peer has closed the socket, or if the message is
  /// invalid.
  ///
  /// - Parameters:
  ///   - time: The timeout for each part of the message; nil means no limit.
  ///   - most: The maximum size of the message in bytes.
  func receive(
    within time: Duration? = nil, atMost most: Int = IsolationMessage.mostBytes
  ) -> IsolationMessage? {
    var head = Head(kind: 0, number: 0, type: 0, flags: 0, size: 0)
    let hasHead = withUnsafeMutableBytes(of: &head) { receive($0, within: time) }
    guard hasHead, let kind = IsolationMessage.Kind(rawValue: head.kind),
      Int(head.size) <= most
    else { return nil }
    var bytes = [UInt8](repeating: 0, count: Int(head.size))
    guard bytes.withUnsafeMutableBytes({ receive($0, within: time) }) else { return nil }
    return IsolationMessage(
      kind: kind, number: head.number, type: head.type, flags: head.flags, bytes: bytes)
  }

  private func receive(_ bytes: UnsafeMutableRawBufferPointer, within time: Duration?) -> Bool {
    var done = 0
    while done < bytes.count {
      var waited = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      let count = poll(&waited, 1, time.map { Int32(clamping: $0.components.seconds * 1000) } ?? -1)
      if count < 0, errno == EINTR { continue }
      guard count > 0, let base = bytes.baseAddress else { return false }
      let got = recv(descriptor, base + done, bytes.count - done, 0)
      if got < 0, errno == EINTR { continue }
      guard got > 0 else { return false }
      done += got
    }
    return true
  }

  /// Returns two connected sockets that no other program inherits; nil if none can be made.
  static func pair(keepsMessagesApart: Bool = false) -> (own: IsolationSocket, peer: IsolationSocket)? {
    var pair: [Int32] = [-1, -1]
    let type = keepsMessagesApart ? SOCK_SEQPACKET : SOCK_STREAM
    let kind = Int32(type.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
    guard socketpair(AF_UNIX, kind, 0, &pair) == 0 else { return nil }
    return (.init(descriptor: pair[0]), .init(descriptor: pair[1]))
  }
}
