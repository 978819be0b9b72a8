// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import Swiftlet

/// The text of an export's progress.
extension ExportSession.Progress {
  /// Returns a progress bar for a terminal with this many columns.
  func screen(columns: Int, style: Style) -> [StyledText] {
    let width = max(columns - 1, 10)
    let count = min(width - line.count - 3, 50)
    guard count >= 8 else { return [StyledText(line).clipped(to: width)] }
    let eighths = Int((part * Double(count) * 8).rounded(.down))
    var bar = ""
    for cell in 0..<count {
      let filled = min(max(eighths - cell * 8, 0), 8)
      bar +=
        style.isUnicode ? [" ", "▏", "▎", "▍", "▌", "▋", "▊", "▉", "█"][filled] : filled == 8 ? "#" : " "
    }
    let painted = style.paint(bar, .green)
    return [style.isUnicode ? "▕\(painted)▏ \(line)" : "[\(painted)] \(line)"]
  }

  /// The progress as one line, for a file or a pipe.
  var line: String {
    let what =
      switch stage {
      case .rendering: ""
      case .limiting: "limiter: "
      case .levelling: "loudness: "
      }
    var words =
      what
      + "\(Digits.fixed((part * 100).rounded(.down), 0)) %  \(Digits.clock(done.seconds)) of \(Digits.clock(total.seconds))"
    if speed > 0 { words += "  \(Digits.fixed(speed, speed < 10 ? 1 : 0)) times real time" }
    if let left { words += "  \(Digits.clock(left.seconds.rounded(.up))) left" }
    return words
  }
}
