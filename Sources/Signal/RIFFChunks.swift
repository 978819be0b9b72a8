// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

/// Walks the chunks of a RIFF or RF64 file: each a name, a size of 32 bits, as many bytes, and one more to make them even.
///
/// A size is what the file says, up to 4 GiB, and may reach beyond its end.
package struct RIFFChunks {
  /// A name of four letters.
  package struct Name: Equatable, ExpressibleByStringLiteral {
    /// The first letter is the lowest byte.
    let letters: UInt32

    /// The name in four bytes of a file.
    package init(_ word: UInt32) { letters = word }

    /// The first four letters of a literal, which are ASCII.
    package init(stringLiteral name: StaticString) {
      letters = name.withUTF8Buffer { name in
        var letters: UInt32 = 0
        for number in 0..<min(name.count, 4) {
          letters |= unsafe UInt32(name[number]) << UInt32(8 * number)
        }
        return letters
      }
    }
  }

  /// A chunk: its name, where its content begins in the file, and how many bytes the file says that it has.
  package struct Chunk {
    package let name: Name
    package let place: Int
    package let size: Int
  }

  /// More than any program writes. In a file of zeros every eight bytes look like a chunk.
  private static var most: Int { 1000 }

  private let end: Int
  private var place: Int
  private var count = 0

  /// - Parameters:
  ///   - fileSize: how many bytes the file has.
  ///   - place: where the first chunk begins; default: behind the 12 bytes of a RIFF header.
  package init(fileSize: Int, from place: Int = 12) {
    end = fileSize
    self.place = place
  }

  /// The next chunk; nil behind the last, and behind a thousand.
  ///
  /// - Parameters:
  ///   - needed: how many bytes of the chunk must lie in the file, its name and size included.
  ///   - word: the four bytes at a place, the first of them lowest; zeros for what lies past the end.
  package mutating func next(needed: Int = 8, word: (Int) -> UInt32) -> Chunk? {
    guard place <= end - needed, count < Self.most else { return nil }
    let chunk = Chunk(name: Name(word(place)), place: place + 8, size: Int(word(place + 4)))
    place = chunk.place + chunk.size + chunk.size % 2
    count += 1
    return chunk
  }
}
