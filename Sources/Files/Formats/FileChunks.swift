// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

/// Iterates over the chunks of an open AIFF, CAF or Wave64 file. All input is checked. ``RIFFChunks`` does the same for
/// WAV.
struct FileChunks: Sequence, IteratorProtocol {
  enum Kind {
    /// A big-endian 32-bit size, and chunks of even length.
    case aiff
    /// A big-endian 64-bit size; −1 for sound that extends to the end of the file.
    case caf
    /// A name of 16 bytes and a little-endian 64-bit size that includes both fields. Chunks begin at multiples of 8
    /// bytes.
    case wave64
  }

  /// A chunk: its name, the position of its content in the file, and its announced size in bytes.
  struct Chunk {
    let name: String, offset: Int, size: Int
  }

  /// The maximum number of chunks, more than any program writes. In a file of zeros, every few bytes look like a chunk.
  private static var most: Int { 1000 }

  private let file: ByteFile, kind: Kind
  private var offset: Int, count = 0

  init(_ file: ByteFile, _ kind: Kind) {
    (self.file, self.kind) = (file, kind)
    offset =
      switch kind {
      case .aiff: 12
      case .caf: 8
      case .wave64: 40
      }
  }

  /// Returns the next chunk; nil after the last, after a thousand, and after one with an invalid size.
  mutating func next() -> Chunk? {
    let (head, size, step) =
      switch kind {
      case .aiff: (8, Int(file.big(at: offset + 4, as: UInt32.self)), 2)
      case .caf: (12, Int(Int64(bitPattern: file.big(at: offset + 4, as: UInt64.self))), 1)
      case .wave64: (24, Int(clamping: file.number(at: offset + 16, as: UInt64.self)) - 24, 8)
      }
    guard offset + head <= file.size, count < Self.most else { return nil }
    let chunk = Chunk(name: file.text(at: offset), offset: offset + head, size: size)
    count += 1
    offset = 0..<file.size ~= size ? chunk.offset + (size + step - 1) / step * step : file.size
    return chunk
  }
}
