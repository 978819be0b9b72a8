// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

/// Lines in columns, each as wide as its widest cell. The last column is not padded.
struct Table {
  /// The cells of each row.
  private(set) var rows: [[StyledText]] = []
  /// The number of spaces between columns.
  var gap = 2
  /// The prefix of every row.
  var indent = ""

  /// Creates an empty table.
  init(gap: Int = 2, indent: String = "") { (self.gap, self.indent) = (gap, indent) }

  /// Adds a row of text, which is escaped.
  mutating func add(_ cells: String...) { rows.append(cells.map { StyledText($0) }) }

  /// Adds a row of text with colours.
  mutating func add(styled cells: StyledText...) { rows.append(cells) }

  /// The table's lines. Columns that are empty in every row are omitted.
  var lines: [StyledText] {
    let columns = rows.map(\.count).max() ?? 0
    let widths = (0..<columns).map { column in
      rows.map { column < $0.count ? $0[column].width : 0 }.max() ?? 0
    }
    return rows.map { row in
      var line = StyledText(indent)
      var padding = 0
      for (column, cell) in row.enumerated() where widths[column] > 0 {
        if !cell.isEmpty {
          line += StyledText("").padded(to: padding) + cell
          padding = 0
        }
        padding += widths[column] - cell.width + gap
      }
      return line
    }
  }
}
