// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

/// Mutates inputs with knowledge of the format: nests, repeats, truncates, changes lengths, splices.
struct FuzzMutator {
  private let format: FuzzFormat, seeds: [[UInt8]]
  private var state: UInt64

  init(_ format: FuzzFormat, seeds: [[UInt8]], seed: UInt32) {
    (self.format, self.seeds) = (format, seeds)
    state = UInt64(seed) &* 0x9E37_79B9_7F4A_7C15 | 1
  }

  /// A number from 0 up to, but not including, `limit`.
  private mutating func random(_ limit: Int) -> Int {
    state ^= state << 13
    state ^= state >> 7
    state ^= state << 17
    return limit > 0 ? Int((state >> 16) % UInt64(limit)) : 0
  }

  /// Applies one to three changes to `bytes`. Returns nil to leave the mutation to libFuzzer, which uses its dictionary
  /// and traced comparisons.
  mutating func change(_ bytes: [UInt8], most: Int) -> [UInt8]? {
    if random(3) == 0 { return nil }
    // Often from a seed: most inputs that are kept for their coverage are no longer valid.
    var bytes = !seeds.isEmpty && random(3) == 0 ? seeds[random(seeds.count)] : bytes
    for _ in 0...(random(2) == 0 ? 0 : random(3)) {
      switch random(10) {
      case 0: nest(&bytes)
      case 1: repeatPart(&bytes)
      case 2: bytes.removeLast(random(bytes.count + 1))
      case 3: splice(&bytes)
      case 4: insertWord(&bytes)
      case 5: removePart(&bytes)
      default: format.isText ? changeWrittenNumber(&bytes) : changeLength(&bytes)
      }
    }
    return Array(bytes.prefix(most))
  }

  /// Wraps a part into a random number of levels, or leaves the levels open, before the rest or at the end. Limits of
  /// depth fail at their boundary, and some readers fail only if the text ends there.
  private mutating func nest(_ bytes: inout [UInt8]) {
    guard !format.brackets.isEmpty else { return repeatPart(&bytes) }
    let pair = format.brackets[random(format.brackets.count)]
    let count = [1, 2, 17, 65, 513, 513, 1025][random(7)]
    // A position where a value may begin: the start, or after a separator.
    var place = random(3) == 0 ? 0 : random(bytes.count + 1)
    let separators = Array(":[,{( \n".utf8)
    if place > 0, random(2) == 0, let found = bytes[place...].firstIndex(where: separators.contains) {
      place = found + 1
    }
    let opening = Array(Array(repeating: Array(pair.open.utf8), count: count).joined())
    switch random(3) {
    case 0: bytes.insert(contentsOf: opening, at: place)
    case 1: bytes.replaceSubrange(place..., with: opening)
    default:
      bytes.insert(contentsOf: opening, at: place)
      let end = min(place + opening.count + random(20), bytes.count)
      bytes.insert(contentsOf: Array(repeating: Array(pair.close.utf8), count: count).joined(), at: end)
    }
  }

  private mutating func part(of bytes: [UInt8]) -> Range<Int> {
    let start = random(bytes.count + 1)
    return start..<min(start + 1 + random(64), bytes.count).clamped(from: start)
  }

  private mutating func repeatPart(_ bytes: inout [UInt8]) {
    let part = part(of: bytes), count = 1 + random(random(4) == 0 ? 600 : 8)
    bytes.insert(contentsOf: Array(repeating: Array(bytes[part]), count: count).joined(), at: part.upperBound)
  }

  private mutating func removePart(_ bytes: inout [UInt8]) { bytes.removeSubrange(part(of: bytes)) }

  private mutating func splice(_ bytes: inout [UInt8]) {
    let part = Array(bytes[part(of: bytes)]), place = random(bytes.count + 1)
    let end = random(2) == 0 ? place : min(place + part.count, bytes.count)
    bytes.replaceSubrange(place..<end, with: part)
  }

  private mutating func insertWord(_ bytes: inout [UInt8]) {
    guard !format.words.isEmpty else { return splice(&bytes) }
    let word = format.words[random(format.words.count)], place = random(bytes.count + 1)
    let end = random(2) == 0 ? place : min(place + word.count, bytes.count)
    bytes.replaceSubrange(place..<end, with: word)
  }

  /// Treats 1, 2, 3, 4 or 8 bytes as a number in either byte order, and adds or subtracts 1 or sets an extreme value.
  /// Prefers numbers after a word of the format, because lengths are there.
  private mutating func changeLength(_ bytes: inout [UInt8]) {
    let width = [1, 2, 3, 4, 4, 8, 8, 8][random(8)]
    guard bytes.count >= width else { return }
    var place = random(bytes.count - width + 1)
    if random(4) > 0, !format.words.isEmpty {
      let word = format.words[random(format.words.count)],
        offset = [0, 2 * random(8), 4 * random(8)][random(3)]
      // The first occurrence of the word, or the first after a random position.
      let start = random(2) == 0 ? 0 : random(bytes.count)
      if let found = bytes[start...].firstRange(of: word), found.upperBound + offset + width <= bytes.count {
        place = found.upperBound + offset
      }
    }
    let isBig = random(2) == 0, ones = UInt64.max >> UInt64(64 - 8 * width)
    var value: UInt64 = 0
    for byte in 0..<width {
      value |= UInt64(bytes[place + (isBig ? width - 1 - byte : byte)]) << UInt64(8 * byte)
    }
    switch random(7) {
    case 0: value &+= 1
    case 1: value &-= 1
    case 2: value = ones
    case 3: value = ones >> 1
    case 4: value = (ones >> 1) - UInt64(random(16))
    case 5: value = UInt64(bytes.count - place)
    default: value = 0
    }
    for byte in 0..<width {
      bytes[place + (isBig ? width - 1 - byte : byte)] = UInt8(truncatingIfNeeded: value >> UInt64(8 * byte))
    }
  }

  /// Replaces a number that is written as digits.
  private mutating func changeWrittenNumber(_ bytes: inout [UInt8]) {
    let isDigit = { (byte: UInt8) in UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte }
    let starts = bytes.indices.filter { isDigit(bytes[$0]) && ($0 == 0 || !isDigit(bytes[$0 - 1])) }
    guard !starts.isEmpty else { return insertWord(&bytes) }
    let start = starts[random(starts.count)]
    let end = bytes[start...].firstIndex { !isDigit($0) } ?? bytes.count
    let numbers = [
      "0", "-1", "1", "9223372036854775807", "-9223372036854775808", "9223372036854775808", "2147483648",
      "65536", "1e308",
      "1e999", "0.0000001", "4294967295", "255", "86400",
    ]
    bytes.replaceSubrange(start..<end, with: Array(numbers[random(numbers.count)].utf8))
  }
}

extension Int {
  fileprivate func clamped(from least: Int) -> Int { Swift.max(self, least) }
}
