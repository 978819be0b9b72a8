// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import Foundation

/// The last pages of an Ogg file.
struct OggTail {
  /// Whether the last page has the end-of-stream flag.
  let isWhole: Bool
  /// The frame at which the last page starts, from the granule position of an earlier page; 0 if unknown.
  let lastPageStart: Int
  /// Whether the last page's granule position is 0, so that no page holds sound.
  let isEmpty: Bool

  /// Reads the end of a file. Returns nil if it holds no page.
  init?(_ path: String) {
    guard let handle = FileHandle(forReadingAtPath: path) else { return nil }
    defer { try? handle.close() }
    guard let size = try? handle.seekToEnd() else { return nil }
    // A page has at most 64 KiB. The last 256 KiB hold at least one page that ends a packet.
    try? handle.seek(toOffset: size > 262_144 ? size - 262_144 : 0)
    guard let tail = try? handle.read(upToCount: 262_144) else { return nil }
    let mark = Data("OggS".utf8)
    guard let last = tail.range(of: mark, options: .backwards) else { return nil }
    let flags = last.lowerBound + 5
    isWhole = flags < tail.endIndex && tail[flags] & 4 != 0
    isEmpty = OggTail.position(last.lowerBound, in: tail) == 0
    var end = last.lowerBound
    var start = 0
    while start == 0, let page = tail.range(of: mark, options: .backwards, in: tail.startIndex..<end) {
      end = page.lowerBound
      start = OggTail.position(end, in: tail) ?? 0
    }
    lastPageStart = start
  }

  /// Returns the granule position of a page, or nil if no packet ends on it or the page is cut off.
  private static func position(_ page: Int, in tail: Data) -> Int? {
    guard page + 14 <= tail.endIndex else { return nil }
    let position = tail[(page + 6)..<(page + 14)].reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    return position < UInt64(1) << 50 ? Int(position) : nil
  }
}
