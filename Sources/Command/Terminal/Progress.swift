// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

/// How far long work has come, as text.
struct Progress: Equatable {
  /// What is done and what there is to do, in seconds of sound.
  var done: Double, total: Double
  /// How long it has taken so far, in seconds.
  var elapsed: Double

  /// The part that is done, from 0 to 1.
  var part: Double { total > 0 ? min(max(done / total, 0), 1) : 1 }
  /// How many times faster than real time it goes; 0 before that can be known.
  var speed: Double { elapsed > 0 ? done / elapsed : 0 }
  /// How long it will take yet, in seconds; nil before that can be known, and at the end.
  var left: Double? { 0 < done && done < total && elapsed >= 0.2 ? (total - done) * elapsed / done : nil }

  /// For a terminal of so many columns.
  func screen(columns: Int, style: Style) -> [String] {
    let width = max(columns - 1, 10)
    let count = min(width - words.count - 3, 50)
    guard count >= 8 else { return [Style.clipped(words, to: width)] }
    let eighths = Int((part * Double(count) * 8).rounded(.down))
    var bar = ""
    for cell in 0..<count {
      let filled = min(max(eighths - cell * 8, 0), 8)
      bar +=
        style.isUnicode ? [" ", "▏", "▎", "▍", "▌", "▋", "▊", "▉", "█"][filled] : filled == 8 ? "#" : " "
    }
    bar = style.paint(bar, .green)
    return [(style.isUnicode ? "▕\(bar)▏" : "[\(bar)]") + " " + words]
  }

  /// For a file or another program.
  var line: String { words }

  private var words: String {
    var words =
      "\(Digits.fixed((part * 100).rounded(.down), 0)) %  \(Digits.clock(done)) of \(Digits.clock(total))"
    if speed > 0 { words += "  \(Digits.fixed(speed, speed < 10 ? 1 : 0)) times real time" }
    if let left { words += "  \(Digits.clock(left.rounded(.up))) left" }
    return words
  }
}
