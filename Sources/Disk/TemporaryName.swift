// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

/// The name of an incomplete file: `.NAME.swiftlet-RANDOM`, hidden and unique.
package enum TemporaryName {
  private static let mark = ".swiftlet-", digits = Array("abcdefghijklmnopqrstuvwxyz0123456789")
  private static let randomCount = 12
  /// The longest name that most file systems allow, in bytes.
  private static let longest = 255

  /// Returns a new temporary name for a file that will be called `name`.
  package static func make(for name: String) -> String {
    let random = String((0..<randomCount).map { _ in digits.randomElement() ?? "a" })
    var kept = Substring(name)
    while kept.utf8.count > longest - 1 - mark.utf8.count - randomCount { kept = kept.dropLast() }
    return "." + kept + mark + random
  }

  /// Whether a name has the form of ``make(for:)``.
  ///
  /// - Parameter name: The final name of the file; nil for any.
  package static func matches(_ candidate: String, for name: String? = nil) -> Bool {
    let random = candidate.suffix(randomCount), rest = candidate.dropLast(randomCount)
    guard candidate.hasPrefix("."), rest.hasSuffix(mark), rest.count > mark.count + 1,
      random.allSatisfy(digits.contains)
    else { return false }
    return name.map { make(for: $0).dropLast(randomCount) == rest } ?? true
  }
}
