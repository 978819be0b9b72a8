// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

/// The name among `names` that somebody who wrote `word` may have meant: at most a third of it is to change.
func nearest(to word: String, among names: some Sequence<String>) -> String? {
  let wanted = Array(word.utf8)
  let limit = wanted.count / 3
  var best: (name: String, distance: Int)?
  for name in names where abs(name.utf8.count - wanted.count) <= limit {
    let distance = editDistance(wanted, Array(name.utf8))
    if distance <= limit,
      distance < best?.distance ?? .max || (distance == best?.distance && name < best?.name ?? "")
    {
      best = (name, distance)
    }
  }
  return best?.name
}

/// How many bytes are to be put in, taken out or changed to make one name of the other.
private func editDistance(_ a: [UInt8], _ b: [UInt8]) -> Int {
  var row = Array(0...b.count)
  for (i, x) in a.enumerated() {
    var corner = row[0]
    row[0] = i + 1
    for (j, y) in b.enumerated() {
      let change = corner + (x == y ? 0 : 1)
      corner = row[j + 1]
      row[j + 1] = min(change, row[j] + 1, row[j + 1] + 1)
    }
  }
  return row[b.count]
}
