// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import CSwiftletRealtime
import Testing

@testable import SwiftletSignal

@Suite struct LatestValueTests {
  @Test(arguments: 1...33)
  func `a value of any size reads as published, and no byte after it is written`(size: Int) {
    let value = (0..<size).map { UInt8($0 + 1) }
    var words = [UInt64](repeating: .max, count: 6)
    // The bytes after the value must not be published.
    unsafe rt_publish_words(&words, value + [UInt8](repeating: 0xEE, count: 8), size)
    var read = [UInt8](repeating: 0xAA, count: 48)
    unsafe rt_read_words(&read, words, size)
    #expect(Array(read[..<size]) == value)
    #expect(read[size...].allSatisfy { $0 == 0xAA })
    #expect(words[((size + 7) / 8)...].allSatisfy { $0 == .max })
    let last = words[(size - 1) / 8]
    #expect(size % 8 == 0 || last >> UInt64(size % 8 * 8) == 0)
  }

  private struct Odd: Equatable, BitwiseCopyable {
    var number: UInt64, flag: Bool
  }

  @Test func `a value with a partial last word is published and read in full`() {
    let latest = LatestValue(Odd(number: 1, flag: true))
    #expect(latest.latest() == Odd(number: 1, flag: true) && latest.version() == 0)
    latest.publish(Odd(number: .max, flag: false))
    var value = Odd(number: 0, flag: true)
    #expect(latest.read(into: &value) && value == Odd(number: .max, flag: false) && latest.version() == 1)
  }
}
