// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import Swiftlet

/// The drawing of a sound file: a waveform for each channel.
struct WaveformPicture: Equatable {
  /// The title, and a note in smaller letters.
  var title = "", note = ""
  /// The columns of each channel.
  var channels: [[WaveformOverview.Bucket]]
  /// The duration in seconds.
  var duration: Double

  private static let left = 48.0, right = 936.0, top = 60.0
  /// The number of columns in the picture's width.
  static let columns = Int(right - left)

  private static let light = """
    .field { fill: #f2f3f1; } .outline { fill: #2d8bb8; fill-opacity: 0.45; } .body { fill: #2d8bb8; }
    .clipped { stroke: #d9342b; stroke-width: 1.4; fill: none; }
    """
  private static let dark = """
    .field { fill: #1a1e25; } .outline { fill: #58b4de; } .body { fill: #58b4de; } .clipped { stroke: #ff6b60; }
    """

  /// The picture as SVG, 960 points wide.
  var svg: String {
    let height = channels.count == 1 ? 200.0 : channels.count <= 4 ? 132.0 : 64.0, gap = 16.0
    let bottom = Self.top + Double(channels.count) * (height + gap) - gap
    var lines = [
      SVG.text(title, Self.left, 34, "title"), SVG.text(note, Self.right, 34, anchor: "end"),
    ]
    let tops = channels.indices.map { Self.top + Double($0) * (height + gap) }
    for top in tops {
      lines.append(SVG.box("field", Self.left, top, Self.right - Self.left, height, #" rx="3""#))
    }
    let axis = TimeAxis(duration, most: 12)
    for mark in axis.marks {
      let x = Self.left + (Self.right - Self.left) * mark.time / axis.duration
      lines.append(SVG.path("grid main", "M\(SVG.number(x)) \(SVG.number(Self.top))V\(SVG.number(bottom))"))
      lines.append(SVG.text(mark.label, x, bottom + 20, anchor: "middle"))
    }
    for (columns, top) in zip(channels, tops) {
      lines += lane(columns, top, height)
    }
    return SVG.document(
      width: 960, height: bottom + 36, title: "\(title): waveform", light: Self.light, dark: Self.dark, lines)
  }

  private func lane(_ columns: [WaveformOverview.Bucket], _ top: Double, _ height: Double) -> [String] {
    let middle = top + height / 2, reach = height / 2 - 6
    let shape = WaveformShape(
      columns: columns, left: Self.left, width: Self.right - Self.left, middle: middle, reach: reach)
    var lines: [String] = []
    // Half of full scale is −6 dBFS.
    for (level, label) in [(1.0, "0 dB"), (0.5, "−6"), (0, ""), (-0.5, "−6"), (-1, "0")] {
      let y = middle - reach * level
      lines.append(
        SVG.path(
          level == 0 ? "grid zero" : "grid",
          "M\(SVG.number(Self.left)) \(SVG.number(y))H\(SVG.number(Self.right))"))
      if height > 100, !label.isEmpty { lines.append(SVG.text(label, Self.left - 7, y + 4, anchor: "end")) }
    }
    lines.append(SVG.path("outline", shape.outline()))
    lines.append(SVG.path("body", shape.body()))
    if !shape.clipped.isEmpty { lines.append(SVG.path("clipped", shape.clipped)) }
    return lines
  }
}
