// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

/// Walks the chunks of an open AIFF, CAF or Wave64 file. Nothing that it reads is trusted; ``RIFFChunks`` walks those of WAV.
struct FileChunks: Sequence, IteratorProtocol {
  enum Kind {
    /// A size of 32 bits, highest byte first, and chunks of an even length.
    case aiff
    /// A size of 64 bits, highest byte first; −1 for sound that lasts to the end of the file.
    case caf
    /// A name of 16 bytes, and a size of 64 bits, lowest byte first, which counts both; chunks begin at multiples of 8.
    case wave64
  }

  /// A chunk: its name, where its content begins in the file, and how many bytes the file says that it has.
  struct Chunk {
    let name: String, place: Int, size: Int
  }

  /// More than any program writes. In a file of zeros every few bytes look like a chunk.
  private static var most: Int { 1000 }

  private let file: ByteFile, kind: Kind
  private var place: Int, count = 0

  init(_ file: ByteFile, _ kind: Kind) {
    (self.file, self.kind) = (file, kind)
    place =
      switch kind {
      case .aiff: 12
      case .caf: 8
      case .wave64: 40
      }
  }

  /// The next chunk; nil after the last, after a thousand, and after one whose size cannot be.
  mutating func next() -> Chunk? {
    let (head, size, step) =
      switch kind {
      case .aiff: (8, Int(file.big(at: place + 4, as: UInt32.self)), 2)
      case .caf: (12, Int(Int64(bitPattern: file.big(at: place + 4, as: UInt64.self))), 1)
      case .wave64: (24, Int(clamping: file.number(at: place + 16, as: UInt64.self)) - 24, 8)
      }
    guard place + head <= file.size, count < Self.most else { return nil }
    let chunk = Chunk(name: file.text(at: place), place: place + head, size: size)
    count += 1
    place = 0..<file.size ~= size ? chunk.place + (size + step - 1) / step * step : file.size
    return chunk
  }
}
