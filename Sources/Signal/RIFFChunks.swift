// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

/// An iterator over the chunks of a RIFF or RF64 file. A chunk has a name, a size of 32 bits, as many bytes, and a
/// padding byte if the size is odd.
///
/// The size is the one in the file, up to 4 GiB, and may reach beyond the end of the file.
package struct RIFFChunks {
  /// A chunk name of four characters.
  package struct Name: Equatable, ExpressibleByStringLiteral {
    /// The name as an integer; the first character is the lowest byte.
    let letters: UInt32

    /// Creates a name from four bytes of a file.
    package init(_ word: UInt32) { letters = word }

    /// Creates a name from the first four characters of an ASCII literal.
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

  /// A chunk: its name, the file offset of its content, and its size in bytes according to the file.
  package struct Chunk {
    package let name: Name
    package let offset: Int
    package let size: Int
  }

  /// The largest number of chunks, more than any program writes. In a file of zeros every eight bytes look like a
  /// chunk.
  private static var most: Int { 1000 }

  private let end: Int
  private var offset: Int
  private var count = 0

  /// - Parameters:
  ///   - fileSize: the size of the file in bytes.
  ///   - offset: the file offset of the first chunk. Default: 12, after the RIFF header.
  package init(fileSize: Int, from offset: Int = 12) {
    end = fileSize
    self.offset = offset
  }

  /// Returns the next chunk; nil after the last chunk, and after 1000 chunks.
  ///
  /// - Parameters:
  ///   - needed: the number of bytes of the chunk that must lie within the file, including its name and size.
  ///   - word: returns the four bytes at a file offset, the first as the lowest byte; bytes past the end are zero.
  package mutating func next(needed: Int = 8, word: (Int) -> UInt32) -> Chunk? {
    guard offset <= end - needed, count < Self.most else { return nil }
    let chunk = Chunk(name: Name(word(offset)), offset: offset + 8, size: Int(word(offset + 4)))
    offset = chunk.offset + chunk.size + chunk.size % 2
    count += 1
    return chunk
  }
}
