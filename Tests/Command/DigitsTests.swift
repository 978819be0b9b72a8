// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import Testing

@testable import SwiftletCommand

@Suite struct DigitsTests {
  @Test(
    arguments: [
      (0.35, "0.35"), (20_000, "20000"), (-96, "-96"), (1.0 / 3, "0.333333"), (0, "0"), (0.1, "0.1"),
      (99.9999999, "100"),
    ] as [(Double, String)])
  func `a number is written with six significant digits and no trailing zeros`(value: Double, text: String) {
    #expect(Digits.short(value) == text)
  }

  @Test func `a number is written with the given number of decimals`() {
    #expect(Digits.fixed(-6.04, 1) == "-6.0")
    #expect(Digits.fixed(-0.04, 1) == "0.0")
    #expect(Digits.fixed(0.96, 1) == "1.0")
    #expect(Digits.fixed(1.05, 2) == "1.05")
    #expect(Digits.fixed(12.5, 0) == "13")
    #expect(Digits.fixed(-.infinity, 1) == "-inf")
  }

  @Test func `times are written as on a clock or in words`() {
    #expect(Digits.clock(7.9) == "0:07")
    #expect(Digits.clock(3723) == "1:02:03")
    #expect(Digits.spoken(45) == "45 s")
    #expect(Digits.spoken(14.5 * 3600) == "14 h")
    #expect(Digits.spoken(4 * 86_400) == "4 days")
  }
}
