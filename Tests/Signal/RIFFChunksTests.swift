// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import Testing

@testable import SwiftletSignal

/// The walk over the chunks of a RIFF file, with handwritten bytes.
struct RIFFChunksTests {
  /// The bytes of a chunk. Its size field may differ from the size of its content.
  private func chunk(_ name: String, _ content: [UInt8], size: UInt32? = nil) -> [UInt8] {
    let size = size ?? UInt32(content.count)
    let bytes = Array(name.utf8) + (0..<4).map { UInt8(truncatingIfNeeded: size >> UInt32(8 * $0)) } + content
    return content.count % 2 == 1 ? bytes + [0xEE] : bytes
  }

  /// All chunks after a header of 12 bytes.
  private func walk(_ chunks: [UInt8], needed: Int = 8) -> [RIFFChunks.Chunk] {
    let bytes = [UInt8](repeating: 0xFF, count: 12) + chunks
    func word(_ offset: Int) -> UInt32 {
      (0..<4).reduce(0) { word, number in
        let offset = offset + number
        return word | (bytes.indices ~= offset ? UInt32(bytes[offset]) << UInt32(8 * number) : 0)
      }
    }
    var walk = RIFFChunks(fileSize: bytes.count), found: [RIFFChunks.Chunk] = []
    while let chunk = walk.next(needed: needed, word: word) { found.append(chunk) }
    return found
  }

  @Test func `chunks start at even positions`() {
    let found = walk(chunk("fmt ", [1, 2, 3]) + chunk("JUNK", []) + chunk("data", [9, 8]))
    #expect(found.map(\.name) == ["fmt ", "JUNK", "data"])
    #expect(found.map(\.offset) == [20, 32, 40])
    #expect(found.map(\.size) == [3, 0, 2])
  }

  @Test func `a name holds its four letters in file order`() {
    #expect(RIFFChunks.Name("data") == RIFFChunks.Name(0x6174_6164))
    #expect(RIFFChunks.Name("data") != "DATA" && RIFFChunks.Name("cue ") != "cue")
  }

  @Test func `a size beyond the end of the file ends the walk`() {
    let found = walk(chunk("LIST", [0, 0], size: .max) + chunk("data", [1, 1]))
    #expect(found.map(\.name) == ["LIST"] && found.first?.size == 4_294_967_295)
  }

  @Test func `a chunk with fewer bytes than needed is not returned`() {
    let cut = chunk("fmt ", [0, 0]) + Array(chunk("data", []).prefix(7))
    #expect(walk(cut).map(\.name) == ["fmt "])
    // Bytes past the end read as 0.
    #expect(walk(cut, needed: 1).map(\.name) == ["fmt ", "data"])
    #expect(walk(chunk("fmt ", [0, 0]), needed: 10).count == 1)
    #expect(walk(chunk("fmt ", [0, 0]), needed: 11).isEmpty)
    #expect(walk([]).isEmpty)
  }

  @Test func `a file of zeros gives at most 1000 chunks`() {
    #expect(walk([UInt8](repeating: 0, count: 8 * 999)).count == 999)
    #expect(walk([UInt8](repeating: 0, count: 8 * 1200)).count == 1000)
  }
}
