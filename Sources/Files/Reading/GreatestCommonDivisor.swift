// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

/// Returns the greatest common divisor; 1 for two zeros.
func greatestCommonDivisor(_ first: Int, _ second: Int) -> Int {
  second == 0 ? max(first, 1) : greatestCommonDivisor(second, first % second)
}
