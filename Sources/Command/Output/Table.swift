// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

/// Lines in columns, each as wide as its widest cell; the last column runs on.
struct Table {
  /// The cells, row by row.
  private(set) var rows: [[StyledText]] = []
  /// How far apart columns stand.
  var gap = 2
  /// What stands before every row.
  var indent = ""

  /// Rows that stand `gap` apart, behind an indent.
  init(gap: Int = 2, indent: String = "") { (self.gap, self.indent) = (gap, indent) }

  /// Adds a row of text, escaped.
  mutating func add(_ cells: String...) { rows.append(cells.map { StyledText($0) }) }

  /// Adds a row of text with colours.
  mutating func add(styled cells: StyledText...) { rows.append(cells) }

  /// The lines. Columns that are empty in every row are left out.
  var lines: [StyledText] {
    let columns = rows.map(\.count).max() ?? 0
    let widths = (0..<columns).map { column in
      rows.map { column < $0.count ? $0[column].width : 0 }.max() ?? 0
    }
    return rows.map { row in
      var line = StyledText(indent)
      var owed = 0
      for (column, cell) in row.enumerated() where widths[column] > 0 {
        if !cell.isEmpty {
          line += StyledText("").padded(to: owed) + cell
          owed = 0
        }
        owed += widths[column] - cell.width + gap
      }
      return line
    }
  }
}
