// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

/// Finds the known name that is closest to a mistyped one.
package enum NearestName {
  /// Returns `; did you mean 'threshold'?` if a known name is close enough; otherwise the list of known names if
  /// there are at most 12; otherwise an empty string.
  package static func hint(for name: String, among known: [String]) -> String {
    if let near = nearest(to: name, among: known) { return "; did you mean '\(near)'?" }
    guard (1...12).contains(known.count) else { return "" }
    return "; expected " + listed(known)
  }

  /// Returns the known name with the smallest edit distance from `name`, if that is small for its length.
  package static func nearest(to name: String, among known: [String]) -> String? {
    let wanted = plain(name)
    guard (1...200).contains(wanted.count) else { return nil }
    var best: String?
    var fewest = max(1, wanted.count / 3) + 1
    for candidate in known {
      let other = plain(candidate)
      guard abs(other.count - wanted.count) < fewest else { continue }
      let edits = distance(wanted, other)
      if edits < fewest { (best, fewest) = (candidate, edits) }
    }
    return best
  }

  /// Returns a list such as `'a', 'b' or 'c'`.
  package static func listed(_ names: [String]) -> String {
    let quoted = names.map { "'\($0)'" }
    guard let last = quoted.last, quoted.count > 1 else { return quoted.first ?? "nothing" }
    return quoted.dropLast().joined(separator: ", ") + " or " + last
  }

  /// Normalizes a name for comparison: lower case, `_` as `-`.
  private static func plain(_ name: String) -> [Character] {
    Array(name.lowercased().replacing("_", with: "-"))
  }

  /// Returns the number of insertions, deletions, replacements and swaps of neighbors between two names.
  private static func distance(_ one: [Character], _ other: [Character]) -> Int {
    var beforeLast: [Int] = []
    var last = Array(0...other.count)
    for (i, letter) in one.enumerated() {
      var row = [i + 1]
      for (j, match) in other.enumerated() {
        var edits = min(last[j + 1] + 1, row[j] + 1, last[j] + (letter == match ? 0 : 1))
        if i > 0, j > 0, letter == other[j - 1], one[i - 1] == match {
          edits = min(edits, beforeLast[j - 1] + 1)
        }
        row.append(edits)
      }
      (beforeLast, last) = (last, row)
    }
    return last[other.count]
  }
}
