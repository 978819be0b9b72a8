// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

/// Lines in columns, each as wide as its widest cell; the last column runs on.
struct Table {
  /// The cells, row by row.
  var rows: [[String]] = []
  /// How far apart columns stand.
  var gap = 2
  /// What stands before every row.
  var indent = ""

  /// Adds a row.
  mutating func add(_ cells: String...) { rows.append(cells) }

  /// The lines. Columns that are empty in every row are left out.
  var lines: [String] {
    let columns = rows.map(\.count).max() ?? 0
    let widths = (0..<columns).map { column in
      rows.map { column < $0.count ? $0[column].count : 0 }.max() ?? 0
    }
    return rows.map { row in
      var line = indent
      var owed = 0
      for (column, cell) in row.enumerated() where widths[column] > 0 {
        if !cell.isEmpty {
          line += String(repeating: " ", count: owed) + cell
          owed = 0
        }
        owed += widths[column] - cell.count + gap
      }
      return line
    }
  }
}
