// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import Glibc

/// A check of the counts in a SOFA file before libmysofa reads it.
///
/// libmysofa repeats a step as often as the file states: for each element of an attribute, even if the file has no such
/// element, and for each chunk of a variable. A count of 64 bits causes an endless loop, or exhausts the memory. So
/// every object header in the file is checked beforehand, wherever it is: libmysofa reads attributes and layouts
/// nowhere else. The formats are those of the HDF5 File Format Specification, version 3.
struct SOFACheck {
  /// The error for a file that is inconsistent or exceeds a limit.
  private struct Fault: Error {}

  /// The maximum number of elements of an attribute: each is a dimension of a variable, or the text itself.
  private static let mostElements = 4096
  /// The maximum number of bytes of a file, and of all chunks of a variable.
  private static let mostBytes = 1 << 30
  /// The maximum depth of header continuations, and the maximum number of messages of all headers.
  private static let deepest = 16, mostMessages = 20_000
  /// The maximum depth of nested types, their maximum number of members, and the maximum length of the members' names.
  private static let deepestType = 3, mostMembers = 4, longestName = 256

  private let bytes: [UInt8]
  private var messageCount = 0

  /// Returns whether libmysofa may read the file at `path`. Control thread.
  static func isBounded(_ path: [CChar]) -> Bool {
    guard let bytes = read(path) else { return false }
    return isBounded(bytes)
  }

  /// Returns whether libmysofa may read a file with these bytes.
  static func isBounded(_ bytes: [UInt8]) -> Bool {
    var outline = SOFACheck(bytes: bytes)
    do { try outline.check() } catch { return false }
    return true
  }

  private init(bytes: [UInt8]) { self.bytes = bytes }

  private mutating func check() throws(Fault) {
    // Other widths of addresses and lengths are allowed by the format, but never used.
    guard bytes.count >= 48, bytes.starts(with: [0x89, 0x48, 0x44, 0x46]) else { throw Fault() }
    let widths = bytes[8] < 2 ? 13 : 9
    guard bytes[widths] == 8, bytes[widths + 1] == 8 else { throw Fault() }
    let mark = Array("OHDR".utf8)
    var offset = 0
    while let found = bytes[offset...].firstIndex(of: mark[0]) {
      offset = found + 1
      if bytes[found...].starts(with: mark) { try header(at: found) }
    }
  }

  /// Checks an object header.
  private mutating func header(at start: Int) throws(Fault) {
    guard start + 6 <= bytes.count, bytes[start + 4] == 2 else { return }
    let flags = bytes[start + 5]
    let offset = start + 6 + (flags & 0x20 == 0 ? 0 : 16), width = 1 << Int(flags & 3)
    let size = try number(offset, width)
    guard size <= bytes.count else { throw Fault() }
    try messages(in: offset + width..<offset + width + size, flags, depth: 0)
  }

  private mutating func messages(in range: Range<Int>, _ flags: UInt8, depth: Int) throws(Fault) {
    guard depth < Self.deepest else { throw Fault() }
    var offset = range.lowerBound
    while offset < range.upperBound - 4, offset + 4 <= bytes.count {
      let type = bytes[offset], size = try number(offset + 1, 2)
      offset += 4 + (flags & 4 == 0 ? 0 : 2)
      messageCount += 1
      guard messageCount <= Self.mostMessages else { throw Fault() }
      switch type {
      case 8: try layout(at: offset)
      case 12: try attribute(at: offset)
      case 16:
        let start = try number(offset, 8), length = try number(offset + 8, 8)
        guard start <= bytes.count, length <= bytes.count, length >= 8 else { throw Fault() }
        try messages(in: start + 4..<start + length - 4, flags, depth: depth + 1)
      default: break
      }
      offset += size
    }
  }

  /// Checks an attribute: its name, its type, its dimensions, its value. In version 1 each is padded to a multiple of
  /// eight bytes.
  private func attribute(at start: Int) throws(Fault) {
    let version = try number(start, 1), name = try number(start + 2, 2), type = try number(start + 4, 2)
    guard version == 1 || version == 3 else { throw Fault() }
    let isPadded = version == 1
    var offset = start + (isPadded ? 8 : 9) + name + (isPadded ? -name & 7 : 0)
    offset = try end(ofType: offset, depth: 0) + (isPadded ? -type & 7 : 0)
    // The dimensions begin after 8 bytes in version 1, and after 4 bytes in version 2.
    let sizes = offset + (try number(offset, 1) == 1 ? 8 : 4), rank = try number(offset + 1, 1)
    var count = 1
    guard rank <= 4 else { throw Fault() }
    for dimension in 0..<rank {
      let size = try number(sizes + 8 * dimension, 8)
      guard size <= Self.mostElements else { throw Fault() }
      count *= max(size, 1)
      guard count <= Self.mostElements else { throw Fault() }
    }
  }

  /// Returns the offset of the end of a type.
  private func end(ofType start: Int, depth: Int) throws(Fault) -> Int {
    guard depth < Self.deepestType else { throw Fault() }
    let offset = start + 8, kind = try number(start, 1), size = try number(start + 4, 4)
    switch kind & 15 {
    case 0: return offset + 4
    case 1: return offset + 12
    case 3, 7: return offset
    case 9: return try end(ofType: offset, depth: depth + 1)
    case 6:
      // Each member has a name with a terminating zero, an offset, and a type.
      var offset = offset
      let count = try number(start + 1, 2)
      guard count <= Self.mostMembers else { throw Fault() }
      for _ in 0..<count {
        let name = offset
        while try number(offset, 1) != 0 {
          offset += 1
          guard offset - name < Self.longestName else { throw Fault() }
        }
        if kind >> 4 == 1 {
          offset = name + (offset - name + 8) & ~7 + 32
        } else {
          offset += 1 + (size.bitWidth - size.leadingZeroBitCount + 7) / 8
        }
        offset = try end(ofType: offset, depth: depth + 1)
      }
      return offset
    default: throw Fault()
    }
  }

  /// Checks the layout of a variable's values, by class: contiguous, or in chunks that a tree indexes.
  private func layout(at start: Int) throws(Fault) {
    switch try number(start + 1, 1) {
    case 1: guard try number(start + 10, 8) <= Self.mostBytes else { throw Fault() }
    case 2:
      let rank = try number(start + 2, 1)
      var size = 1
      guard 1...5 ~= rank else { throw Fault() }
      for dimension in 0..<rank {
        size *= try number(start + 11 + 4 * dimension, 4)
        guard size <= Self.mostBytes else { throw Fault() }
      }
      // A variable without values has no tree: all bits of its address are set.
      guard let tree = try? number(start + 3, 8), let count = try? number(tree + 6, 2) else { return }
      guard size * max(count, 1) <= Self.mostBytes else { throw Fault() }
    default: break
    }
  }

  /// Returns a little-endian number of at most 62 bits.
  private func number(_ offset: Int, _ width: Int) throws(Fault) -> Int {
    guard offset >= 0, offset <= bytes.count - width else { throw Fault() }
    var value: UInt64 = 0
    for byte in (0..<width).reversed() { value = value << 8 | UInt64(bytes[offset + byte]) }
    // So the sum of two such numbers does not overflow.
    guard value < 1 << 62 else { throw Fault() }
    return Int(value)
  }

  /// Returns all bytes of a file.
  private static func read(_ path: [CChar]) -> [UInt8]? {
    let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var status = stat()
    guard unsafe fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
      0...mostBytes ~= Int(status.st_size)
    else { return nil }
    var bytes = [UInt8](repeating: 0, count: Int(status.st_size)), done = 0
    while done < bytes.count {
      let got = unsafe bytes.withUnsafeMutableBytes { buffer in
        unsafe pread(descriptor, buffer.baseAddress.map { unsafe $0 + done }, buffer.count - done, done)
      }
      if got < 0, errno == EINTR { continue }
      guard got > 0 else { return nil }
      done += got
    }
    return bytes
  }
}
