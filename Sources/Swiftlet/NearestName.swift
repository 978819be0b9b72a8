// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

/// The known name that somebody may have meant, or nil if none is near.
///
/// Near is at most a third of the name's length in letters put in, left out, replaced or swapped with their neighbour
/// (the optimal string alignment distance). Upper and lower case are one.
public func nearest(to name: String, among known: [String]) -> String? {
  let wanted = Array(name.lowercased())
  let limit = max(1, wanted.count / 3)
  let scored = known.map { ($0, distance(wanted, Array($0.lowercased()), limit: limit)) }
  return scored.filter { $0.1 <= limit }.min { $0.1 < $1.1 }?.0
}

private func distance(_ a: [Character], _ b: [Character], limit: Int) -> Int {
  guard abs(a.count - b.count) <= limit else { return limit + 1 }
  var before: [Int] = []
  var last = Array(0...b.count)
  for (i, x) in a.enumerated() {
    var row = [i + 1]
    for (j, y) in b.enumerated() {
      var least = min(last[j + 1] + 1, row[j] + 1, last[j] + (x == y ? 0 : 1))
      if i > 0, j > 0, x == b[j - 1], a[i - 1] == y { least = min(least, before[j - 1] + 1) }
      row.append(least)
    }
    (before, last) = (last, row)
  }
  return last[b.count]
}
