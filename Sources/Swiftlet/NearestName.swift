// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

/// The known name that somebody may have meant, or nil if none is near.
///
/// Near is at most a third of the name's length in insertions, deletions and replacements (Levenshtein's distance).
public func nearest(to name: String, among known: [String]) -> String? {
  let limit = max(1, name.count / 3)
  let scored = known.map { ($0, distance(Array(name), Array($0), limit: limit)) }
  return scored.filter { $0.1 <= limit }.min { $0.1 < $1.1 }?.0
}

private func distance(_ a: [Character], _ b: [Character], limit: Int) -> Int {
  guard abs(a.count - b.count) <= limit else { return limit + 1 }
  var row = Array(0...b.count)
  for (i, x) in a.enumerated() {
    var diagonal = row[0]
    row[0] = i + 1
    for (j, y) in b.enumerated() {
      let above = row[j + 1]
      row[j + 1] = min(above + 1, row[j] + 1, diagonal + (x == y ? 0 : 1))
      diagonal = above
    }
  }
  return row[b.count]
}
