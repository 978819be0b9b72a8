// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import Glibc
internal import SwiftletGraph

/// A 64-bit FNV-1a hash of texts and file states. It detects damage and change, but not deliberate forgery.
struct Fingerprint {
  private var hash: UInt64 = 0xCBF2_9CE4_8422_2325

  init() {}

  /// Creates the fingerprint of bytes.
  init(of bytes: UnsafeRawBufferPointer) { add(bytes) }

  /// The hash in hexadecimal digits.
  var text: String { String(hash, radix: 16) }

  /// Adds a text and a terminating zero byte.
  mutating func add(_ text: String) {
    var text = text
    text.withUTF8 { add(UnsafeRawBufferPointer($0)) }
    mix(0)
  }

  /// Adds a file's path and state: device, inode, size and modification time; or the error number if the file cannot
  /// be examined.
  mutating func add(file: UnsafePointer<CChar>) {
    add(UnsafeRawBufferPointer(start: file, count: strlen(file)))
    var facts = stat()
    guard stat(file, &facts) == 0 else { return mix(UInt64(UInt32(bitPattern: errno))) }
    mix(UInt64(facts.st_dev))
    mix(UInt64(facts.st_ino))
    mix(UInt64(bitPattern: Int64(facts.st_size)))
    mix(UInt64(bitPattern: Int64(facts.st_mtim.tv_sec)))
    mix(UInt64(bitPattern: Int64(facts.st_mtim.tv_nsec)))
  }

  private mutating func add(_ bytes: UnsafeRawBufferPointer) {
    for byte in bytes { mix(UInt64(byte)) }
  }

  private mutating func mix(_ word: UInt64) {
    hash = (hash ^ word) &* 0x100_0000_01B3
    // Otherwise high bits would only affect higher bits.
    hash ^= hash >> 32
  }
}

/// Writes texts, each terminated by a zero byte.
struct FieldWriter {
  private(set) var bytes: [UInt8] = []

  mutating func add(_ text: String) {
    bytes += text.utf8
    bytes.append(0)
  }

  mutating func add(_ texts: [String]) {
    add("\(texts.count)")
    for text in texts { add(text) }
  }

  mutating func add(_ list: PluginList) {
    add("\(list.items.count)")
    for item in list.items {
      add(item.id)
      add(item.name)
      add(item.category)
      // The prefix tells an empty reason from none.
      add(item.refusal.map { "-" + $0 } ?? "")
    }
    add(list.unreadable)
  }
}

/// Reads the output of ``FieldWriter``. All methods return nil if the bytes end early.
struct FieldReader {
  /// The bytes that have not been read yet.
  private(set) var rest: UnsafeRawBufferPointer

  init(_ bytes: UnsafeRawBufferPointer) { rest = bytes }

  /// Skips a text that has no terminator. Returns false if the bytes do not begin with it.
  mutating func skip(_ text: String) -> Bool {
    guard rest.starts(with: text.utf8) else { return false }
    rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(text.utf8.count))
    return true
  }

  /// Returns a pointer to the next text, with its terminator, without a copy.
  mutating func pointer() -> UnsafePointer<CChar>? {
    guard let start = rest.baseAddress, let end = memchr(start, 0, rest.count) else { return nil }
    let count = UnsafeRawPointer(end) - start
    rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(count + 1))
    return start.assumingMemoryBound(to: CChar.self)
  }

  mutating func text() -> String? { pointer().map { String(cString: $0) } }

  /// Returns a count. A count above the number of remaining bytes is invalid.
  mutating func number() -> Int? {
    guard let number = text().flatMap({ Int($0) }), 0...rest.count ~= number else { return nil }
    return number
  }

  mutating func list() -> PluginList? {
    guard let count = number() else { return nil }
    var items: [Catalogue.Item] = []
    items.reserveCapacity(count)
    for _ in 0..<count {
      guard let id = text(), let name = text(), let category = text(), let refusal = text() else {
        return nil
      }
      items.append(
        Catalogue.Item(
          origin: .lv2, id: id, name: name, category: category,
          refusal: refusal.isEmpty ? nil : String(refusal.dropFirst())))
    }
    guard let unreadableCount = number() else { return nil }
    var unreadable: [String] = []
    for _ in 0..<unreadableCount {
      guard let reason = text() else { return nil }
      unreadable.append(reason)
    }
    return rest.isEmpty ? PluginList(items: items, unreadable: unreadable) : nil
  }
}
