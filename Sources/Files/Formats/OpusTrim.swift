// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import Foundation
internal import SwiftletDisk

/// Changes which frames of a finished Opus file decoders play: RFC 7845, sections 4.4 (end), 4.2 and 5.1 (pre-skip).
enum OpusTrim {
  /// The size of a page's header without the table of segments.
  private static let headSize = 27
  private static let endOfStream: UInt8 = 4
  /// The polynomial of a page's checksum: RFC 3533, section 6.
  private static let polynomial: UInt32 = 0x04C1_1DB7

  /// Has decoders skip `count` more frames at the beginning, and play `length` frames after these. All in frames of
  /// 48 kHz.
  static func apply(to sink: FileSink, skipping count: Int, length: Int) throws(DiskError) {
    guard var first = page(at: 0, of: sink.descriptor), first.count > headSize,
      let body = bodyStart(of: first), first.count >= body + 12,
      first[body..<(body + 8)].elementsEqual("OpusHead".utf8)
    else { return }
    let skipped = Int(first[body + 10]) + Int(first[body + 11]) << 8 + count
    guard skipped <= Int(UInt16.max) else { return }
    (first[body + 10], first[body + 11]) = (UInt8(skipped & 0xFF), UInt8(skipped >> 8))
    try store(&first, at: 0, in: sink.descriptor)
    var offset = first.count
    while var next = page(at: offset, of: sink.descriptor) {
      let position = next[6..<14].reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
      let end = UInt64(skipped + length)
      // A position with all bits set: no packet ends on this page.
      if position >= end, position != .max {
        for byte in 0..<8 { next[6 + byte] = UInt8(truncatingIfNeeded: end >> (8 * byte)) }
        next[5] |= endOfStream
        try store(&next, at: offset, in: sink.descriptor)
        return sink.shorten(to: offset + next.count)
      }
      offset += next.count
    }
  }

  private static func bodyStart(of page: [UInt8]) -> Int? {
    page.count > 26 ? headSize + Int(page[26]) : nil
  }

  /// Returns the bytes of a page; nil if there is none.
  private static func page(at offset: Int, of descriptor: Int32) -> [UInt8]? {
    guard let head = read(headSize + 255, at: offset, of: descriptor), head.count >= headSize,
      head.starts(with: "OggS".utf8), let body = bodyStart(of: head), head.count >= body
    else { return nil }
    let size = body + head[headSize..<body].reduce(0) { $0 + Int($1) }
    guard let page = read(size, at: offset, of: descriptor), page.count == size else { return nil }
    return page
  }

  private static func read(_ count: Int, at offset: Int, of descriptor: Int32) -> [UInt8]? {
    var bytes = [UInt8](repeating: 0, count: count)
    let found = pread(descriptor, &bytes, count, off_t(offset))
    return found > 0 ? Array(bytes.prefix(found)) : nil
  }

  /// Writes a page with its new checksum.
  private static func store(_ page: inout [UInt8], at offset: Int, in descriptor: Int32) throws(DiskError) {
    for byte in 22..<26 { page[byte] = 0 }
    let sum = checksum(page)
    for byte in 0..<4 { page[22 + byte] = UInt8(truncatingIfNeeded: sum >> (8 * byte)) }
    guard pwrite(descriptor, page, page.count, off_t(offset)) == page.count else { throw .system(errno) }
  }

  private static func checksum(_ bytes: [UInt8]) -> UInt32 {
    bytes.reduce(UInt32(0)) { sum, byte in
      var sum = sum ^ UInt32(byte) << 24
      for _ in 0..<8 { sum = sum << 1 ^ (sum & 0x8000_0000 != 0 ? polynomial : 0) }
      return sum
    }
  }
}
