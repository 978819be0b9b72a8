// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

/// The name of a file that is not whole yet: `.NAME.swiftlet-RANDOM`, hidden and different each time.
package enum TemporaryName {
  private static let mark = ".swiftlet-", digits = Array("abcdefghijklmnopqrstuvwxyz0123456789")
  private static let randomCount = 12
  /// What most file systems allow, in bytes.
  private static let longest = 255

  /// A new temporary name for what will be called `name`.
  package static func make(for name: String) -> String {
    let random = String((0..<randomCount).map { _ in digits.randomElement() ?? "a" })
    var kept = Substring(name)
    while kept.utf8.count > longest - 1 - mark.utf8.count - randomCount { kept = kept.dropLast() }
    return "." + kept + mark + random
  }

  /// Whether a name is one of ``make(for:)``.
  ///
  /// - Parameter name: what the file was to be called; nil for any.
  package static func matches(_ candidate: String, for name: String? = nil) -> Bool {
    let random = candidate.suffix(randomCount), rest = candidate.dropLast(randomCount)
    guard candidate.hasPrefix("."), rest.hasSuffix(mark), rest.count > mark.count + 1,
      random.allSatisfy(digits.contains)
    else { return false }
    return name.map { make(for: $0).dropLast(randomCount) == rest } ?? true
  }
}
