// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

extension MeterView {
  /// Returns the view's lines for a terminal with this many columns and rows.
  func screen(columns: Int, rows limit: Int, style: Style, keys: [String]) -> [StyledText] {
    let width = max(columns - 1, 10)
    let help = Self.wrapped(keys, to: width)
    let labels = rows.flatMap { row in
      row.channels.indices.map { row.channels.count > 1 ? "\(row.name) \($0 + 1)" : row.name }
    }
    let longest = (labels + readings.map(\.name)).map(\.count).max() ?? 0
    let labelWidth = min(longest, max(width / 3, 6))
    var lines = [headline(style).clipped(to: width)]
    var channels: [StyledText] = []
    for row in rows {
      for (number, level) in row.channels.enumerated() {
        let label = row.channels.count > 1 ? "\(row.name) \(number + 1)" : row.name
        let shown = StyledText(label).clipped(to: labelWidth).padded(to: labelWidth)
        channels.append(meter(shown, level, row, width: width, style: style).clipped(to: width))
      }
    }
    channels += readings.map { reading in
      let label = StyledText(reading.name).clipped(to: labelWidth).padded(to: labelWidth)
      let line: StyledText = "\(label)  \(reading.values.joined(separator: "  "))"
      return line.clipped(to: width)
    }
    let rows = max(limit - 2 - (takeLine == nil ? 0 : 1) - help.count, 1)
    if channels.count > rows {
      let hidden = channels.count - rows + 1
      channels = channels.prefix(rows - 1) + [style.paint("  and \(hidden) more", .dim)]
    }
    lines += channels
    if let takeLine { lines.append(StyledText(takeLine).clipped(to: width)) }
    return lines + help.map { style.paint($0, .dim).clipped(to: width) }
  }

  /// Returns the words in as few lines of this width as possible, separated by two spaces.
  private static func wrapped(_ words: [String], to width: Int) -> [String] {
    var lines: [String] = []
    for word in words {
      if let last = lines.last, last.count + 2 + word.count <= width {
        lines[lines.count - 1] = "\(last)  \(word)"
      } else {
        lines.append(word)
      }
    }
    return lines
  }

  private func headline(_ style: Style) -> StyledText {
    let dot: StyledText = style.isUnicode ? " · " : " | "
    // The most important parts come first, because a narrow terminal cuts off the rest.
    var parts = [style.paint(client, .bold)]
    parts.append(isPaused ? style.paint("paused", .yellow) : StyledText(Digits.clock(seconds)))
    if lostFrames > 0 { parts.append(style.paint("\(Digits.count(lostFrames, "frame")) lost", .red)) }
    parts.append(style.paint(Digits.count(xruns, "xrun"), xruns > 0 ? .yellow : .dim))
    parts.append("load \(Digits.fixed(load, 1)) %")
    parts += ["\(Digits.short(sampleRate / 1000)) kHz", StyledText(Digits.count(period, "frame"))]
    return parts.joined(separator: dot)
  }

  private var takeLine: String? {
    guard let take else { return nil }
    let remaining = diskSeconds.map { ", the disk has room for \(Digits.spoken($0))" } ?? ""
    return "recording \(Digits.clock(take))\(remaining)"
  }

  private func meter(
    _ label: StyledText, _ level: LevelHistory, _ row: Row, width: Int, style: Style
  ) -> StyledText {
    var marks: StyledText = ""
    if row.isRecording { marks += " " + style.paint("REC", .red) }
    if row.isMuted { marks += " " + style.paint("MUTED", .yellow) }
    if level.hasClipped { marks += " " + style.paint("CLIP", .red) }
    let numbers = "\(Self.padded(level.rms)) rms \(Self.padded(level.held)) peak"
    // The bar gets the width that remains after the spaces before bar and numbers, the bar's ends, and the longest
    // marks.
    let rest = width - label.width - numbers.count - 4 - " MUTED CLIP".count
    let bar: StyledText = rest >= 8 ? " \(MeterBar(count: min(rest, 60), style: style).text(level))" : ""
    return "\(label)\(bar) \(numbers)\(marks)"
  }

  private static func padded(_ decibels: Double) -> String {
    let text = decibels < -99.9 ? "-inf" : Digits.fixed(decibels, 1)
    return String(repeating: " ", count: max(5 - text.count, 0)) + text
  }
}
