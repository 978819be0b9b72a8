// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

extension MeterView {
  /// The view as one line, for a file or a pipe. It is printed once a second.
  var line: String {
    var parts = [Digits.clock(seconds)]
    for row in rows {
      let levels = row.channels.map {
        "\(Self.level($0.peak))/\(Self.level($0.rms))\($0.hasClipped ? " CLIP" : "")"
      }
      parts.append("\(row.name) \(levels.joined(separator: " "))\(row.isMuted ? " MUTED" : "")")
    }
    for reading in readings {
      // Removes the padding that keeps columns aligned on a screen.
      let values = reading.values.map { $0.split(separator: " ").joined(separator: " ") }
      parts.append("\(reading.name) \(values.joined(separator: ", "))")
    }
    parts.append("load \(Digits.fixed(load, 1)) %")
    parts.append(Digits.count(xruns, "xrun"))
    if let take { parts.append("recording \(Digits.clock(take))") }
    if let diskSeconds { parts.append("disk \(Digits.spoken(diskSeconds))") }
    if lostFrames > 0 { parts.append("\(Digits.count(lostFrames, "frame")) lost") }
    if isPaused { parts.append("paused") }
    return parts.joined(separator: "  ")
  }

  /// The legend of ``line``, printed once before the first one.
  static let lineLegend = "levels are peak/rms of the last second in dBFS"

  private static func level(_ decibels: Double) -> String {
    decibels < -99.9 ? "-inf" : Digits.fixed(decibels, 1)
  }
}
