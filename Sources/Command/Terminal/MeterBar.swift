// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

/// A level as a bar: filled up to the RMS level, with a mark at the held peak.
struct MeterBar {
  /// The number of cells.
  let count: Int
  /// The colours and characters that the output supports.
  let style: Style

  /// The upper ends of the colour zones in dBFS: yellow begins at −18 dBFS, the usual working level, red at −3 dBFS.
  static let zones = [(Style.Paint.green, -18.0), (.yellow, -3.0), (.red, 0.0)]

  /// Returns the bar, `count` + 2 characters wide.
  func text(_ level: LevelHistory) -> StyledText {
    let cells = cells(level)
    var result: StyledText = ""
    var start = 0
    for (paint, decibels) in Self.zones {
      let end = paint == .red ? count : Int((LevelHistory.position(decibels) * Double(count)).rounded())
      if end > start { result += style.paint(String(cells[start..<end]), paint) }
      start = max(end, start)
    }
    return style.isUnicode ? "▕\(result)▏" : "[\(result)]"
  }

  private func cells(_ level: LevelHistory) -> [Character] {
    let eighths = Int((LevelHistory.position(level.rms) * Double(count) * 8).rounded())
    var cells = [Character](repeating: " ", count: count)
    for cell in 0..<count {
      let filled = min(max(eighths - cell * 8, 0), 8)
      if style.isUnicode {
        cells[cell] = [" ", "▏", "▎", "▍", "▌", "▋", "▊", "▉", "█"][filled]
      } else if filled >= 4 {
        cells[cell] = "#"
      }
    }
    if level.held > LevelHistory.floor {
      let index = min(Int(LevelHistory.position(level.held) * Double(count)), count - 1)
      if cells[index] != "█", cells[index] != "#" { cells[index] = style.isUnicode ? "│" : "|" }
    }
    return cells
  }
}
