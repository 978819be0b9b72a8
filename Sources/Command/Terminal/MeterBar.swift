// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

/// A level as a bar: filled up to the RMS, with a mark where the peak is held.
struct MeterBar {
  /// How many cells it has.
  let count: Int
  /// What can be shown.
  let style: Style

  /// Where colours change: yellow from −18 dBFS, the usual working level, red from −3.
  static let zones = [(Style.Paint.green, -18.0), (.yellow, -3.0), (.red, 0.0)]

  /// The bar, `count` + 2 characters wide.
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
      let place = min(Int(LevelHistory.position(level.held) * Double(count)), count - 1)
      if cells[place] != "█", cells[place] != "#" { cells[place] = style.isUnicode ? "│" : "|" }
    }
    return cells
  }
}
