// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import Foundation
import Testing

@testable import SwiftletFiles

@Suite struct BoundedJSONTests {
  private func refusal(
    _ bytes: [UInt8], byteLimit: Int = 1 << 20, depthLimit: Int = BoundedJSON.depthLimit
  ) -> BoundedJSON.Refusal? {
    do throws(BoundedJSON.Refusal) {
      _ = try BoundedJSON.decode([[Int]].self, from: bytes, byteLimit: byteLimit, depthLimit: depthLimit)
      return nil
    } catch { return error }
  }

  private func nested(_ count: Int) -> [UInt8] {
    Array((String(repeating: "[", count: count) + String(repeating: "]", count: count)).utf8)
  }

  @Test func `a value within the limits is decoded`() throws {
    let text = #"{"a [": "]]]]{\"[[\\", "b": "ü\u0041"}"#
    let value = try BoundedJSON.decode([String: String].self, from: text.utf8, byteLimit: 100, depthLimit: 1)
    #expect(value == ["a [": "]]]]{\"[[\\", "b": "üA"])
    #expect(refusal(Array("[[1],[2]]".utf8), depthLimit: 2) == nil)
  }

  @Test func `nesting beyond the limit is refused, whatever the decoder supports`() {
    #expect(refusal(nested(3), depthLimit: 2) == .tooDeep(limit: 2))
    // Foundation's decoder traps at 513 levels.
    for count in [17, 512, 513, 100_000] {
      #expect(refusal(nested(count)) == .tooDeep(limit: 16))
      #expect(refusal([UInt8](repeating: UInt8(ascii: "["), count: count)) == .tooDeep(limit: 16))
    }
    let behindString = Array(#"["a\\", "\"", "#.utf8) + nested(600)
    #expect(refusal(behindString) == .tooDeep(limit: 16))
  }

  @Test func `more bytes than the limit are refused`() {
    #expect(refusal(Array("[[1]]".utf8), byteLimit: 5) == nil)
    #expect(refusal(Array("[[1]]".utf8), byteLimit: 4) == .tooLong(limit: 4))
  }

  @Test(arguments: [
    "", "[", "]", "[]]", "[[\"]]", "[[1]", "[[1]]x", "\u{FEFF}", "[[1}]", "{}", "\"\\", "[[\"\\",
  ])
  func `an invalid value is malformed`(text: String) {
    #expect(refusal(Array(text.utf8)) == .malformed)
  }

  @Test(arguments: [String.Encoding.utf16LittleEndian, .utf16BigEndian, .utf32LittleEndian, .utf16])
  func `text that Foundation would decode as UTF-16 or UTF-32 is malformed`(
    encoding: String.Encoding
  ) throws {
    // U+2200 contains the byte of a quotation mark, so brackets after it would not be counted.
    let text = "[[\"\u{2200}\"," + String(repeating: "[", count: 600)
    #expect(refusal(Array(try #require(text.data(using: encoding)))) == .malformed)
  }
}
