// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import Glibc
internal import SwiftletManifest

extension TimelinePicture {
  private static let left = 148.0, right = 1172.0, width = 1200.0
  /// The heights in points: a track, a video track, the pan strip below a track, a lane, and the gap between rows.
  private static let trackHeight = 128.0, videoHeight = 34.0, panHeight = 40.0, laneHeight = 64.0, gap = 14.0
  /// The positions of full scale and silence in a track. Names of clips are above.
  private static let one = 22.0, zero = trackHeight - 6
  /// The number of columns in the picture's width.
  static let columns = Int(right - left)

  private static let light = """
    .row { fill: #f2f3f1; } .clip { fill-opacity: 0.1; stroke-opacity: 0.55; stroke-width: 1; }
    .source { fill-opacity: 0.22; } .heard { fill-opacity: 0.85; }
    .name { font-size: 13px; font-weight: 600; fill: #1d2127; } .small { font-size: 10.5px; }
    .file { font-size: 10.5px; fill: #343a43; }
    .volume, .ducking, .pan, .lane { fill: none; stroke-width: 2; stroke-linejoin: round; }
    .volume { stroke: #1d2127; } .ducking { stroke: #d9342b; stroke-width: 1.7; stroke-dasharray: 6 3; }
    .pan { stroke: #c98a0c; } .lane { stroke: #339a5b; } .under { fill: #339a5b; fill-opacity: 0.12; }
    .bar { stroke: #d5dae0; stroke-dasharray: 2 3; }
    """
  private static let dark = """
    .row { fill: #1a1e25; } .name { fill: #f1f3f5; } .file { fill: #d5dae0; } .clip { fill-opacity: 0.16; }
    .source { fill-opacity: 0.32; } .volume { stroke: #f4f6f8; } .ducking { stroke: #ff7a6e; }
    .pan { stroke: #f0b541; } .lane { stroke: #5fd08c; } .under { fill: #5fd08c; } .bar { stroke: #353c46; }
    """

  /// The picture as SVG, 1200 points wide.
  var svg: String {
    var lines = [SVG.text(title, 28, 36, "title"), SVG.text(note, 28, 56)] + legend
    let top = bars.isEmpty ? 76.0 : 92.0
    var y = top, rows: [String] = []
    for (index, track) in tracks.enumerated() {
      rows += drawn(track, y, SVG.colors[(index + 1) % SVG.colors.count])
      y += Self.height(of: track) + Self.gap
    }
    for lane in lanes {
      rows += drawn(lane, y)
      y += Self.laneHeight + Self.gap
    }
    let bottom = y - Self.gap
    lines += backgrounds(top) + grid(top, bottom) + rows
    return SVG.document(
      width: Self.width, height: bottom + 38, title: "\(title): timeline", light: Self.light, dark: Self.dark,
      lines)
  }

  /// The legend of the kinds of curves in the picture.
  private var legend: [String] {
    let kinds = Set(tracks.flatMap { $0.curves.map(\.kind) } + (lanes.isEmpty ? [] : [.lane]))
    let shown = Curve.Kind.allCases.filter { kinds.contains($0) }
    return shown.enumerated().flatMap { index, kind in
      let x = Self.right - 116 * Double(shown.count - index) + 14
      return [
        SVG.path(kind.rawValue, "M\(SVG.number(x)) 32h30"), SVG.text(kind.meaning, x + 38, 36, "word"),
      ]
    }
  }

  /// Returns the backgrounds of the rows.
  private func backgrounds(_ top: Double) -> [String] {
    var y = top
    return (tracks.map { Self.height(of: $0) } + lanes.map { _ in Self.laneHeight }).map { height in
      defer { y += height + Self.gap }
      return SVG.box("row", Self.left, y, Self.right - Self.left, height, #" rx="4""#)
    }
  }

  private func grid(_ top: Double, _ bottom: Double) -> [String] {
    var lines: [String] = []
    for mark in TimeAxis(duration, most: 14).marks {
      let x = x(mark.time)
      lines.append(SVG.path("grid main", "M\(SVG.number(x)) \(SVG.number(top))V\(SVG.number(bottom))"))
      lines.append(SVG.text(mark.label, x, bottom + 20, anchor: "middle"))
    }
    for bar in bars {
      let x = x(bar.time)
      lines.append(SVG.path("bar", "M\(SVG.number(x)) \(SVG.number(top - 6))V\(SVG.number(bottom))"))
      lines.append(SVG.text(bar.label, x, top - 10, "small", anchor: "middle"))
    }
    if !bars.isEmpty { lines.append(SVG.text("bar", Self.left - 16, top - 10, "small", anchor: "end")) }
    return lines
  }

  private static func height(of track: Track) -> Double {
    guard !track.curves.isEmpty else { return videoHeight }
    return trackHeight + (track.curves.contains { $0.kind == .pan } ? panHeight : 0)
  }

  private func drawn(_ track: Track, _ top: Double, _ color: String) -> [String] {
    guard !track.curves.isEmpty else {
      let words = [
        SVG.text(track.name.shortened(to: 11), 28, top + 15, "name"),
        SVG.text(track.note.shortened(to: 18), 28, top + 29, "small"),
      ]
      return words + track.clips.flatMap { drawn($0, top, color, height: Self.videoHeight) }
    }
    var lines = [
      SVG.text(track.name.shortened(to: 11), 28, top + 22, "name"),
      SVG.text(track.note.shortened(to: 18), 28, top + 39, "small"),
    ]
    let bottom = top + Self.trackHeight
    for clip in track.clips { lines += drawn(clip, top, color, height: Self.trackHeight) }
    // Curves above 1 extend the scale; then a line marks the value 1.
    let levels = track.curves.filter { $0.kind != .pan }
    let most = max(1, levels.flatMap(\.points).map(\.value).max() ?? 1)
    let scale = { (value: Double) in top + Self.zero - (Self.zero - Self.one) * value / most }
    for level in Set([0, 1, most]).sorted() {
      let label = level == most && most > 1 ? Digits.short((most * 100).rounded() / 100) : Digits.short(level)
      lines.append(SVG.text(label, Self.left - 8, scale(level) + 4, "small", anchor: "end"))
    }
    if most > 1 {
      lines.append(
        SVG.path("grid zero", "M\(SVG.number(Self.left)) \(SVG.number(scale(1)))H\(SVG.number(Self.right))"))
    }
    for curve in levels { lines.append(line(curve, scale)) }
    for curve in track.curves where curve.kind == .pan {
      let middle = bottom + Self.panHeight / 2
      lines.append(
        SVG.path("grid zero", "M\(SVG.number(Self.left)) \(SVG.number(middle))H\(SVG.number(Self.right))"))
      for (side, label) in [(-1.0, "left"), (1, "right")] {
        lines.append(SVG.text(label, Self.left - 8, middle + side * 12 + 4, "small", anchor: "end"))
      }
      lines.append(line(curve) { middle + $0 * 12 })
    }
    return lines
  }

  private func drawn(_ clip: Clip, _ top: Double, _ color: String, height: Double) -> [String] {
    let start = x(clip.start), width = max(x(clip.end) - start, 1)
    let shape = WaveformShape(
      columns: clip.columns, left: start, width: width, middle: top + (Self.one + Self.zero) / 2,
      reach: (Self.zero - Self.one) / 2)
    let fill = #" fill="\#(color)""#
    var lines = [
      SVG.box("clip", start, top + 2, width, height - 4, #"\#(fill) stroke="\#(color)" rx="4""#)
    ]
    if !clip.columns.isEmpty {
      lines += [
        SVG.path("source", shape.outline(), fill),
        SVG.path("heard", shape.outline { $0 < clip.gains.count ? clip.gains[$0] : 1 }, fill),
      ]
    }
    // Shortens the name to the clip's width, at about six points per character.
    let characters = Int((width - 12) / 6)
    if characters >= 3 {
      lines.append(SVG.text(clip.name.shortened(to: characters), start + 6, top + 15, "file"))
    }
    return lines
  }

  private func drawn(_ lane: Lane, _ top: Double) -> [String] {
    let bottom = top + Self.laneHeight
    let scale = { (value: Double) in bottom - 8 - (Self.laneHeight - 16) * lane.share(value) }
    let curve = Curve(kind: .lane, points: lane.points)
    let unit = lane.unit.isEmpty ? "" : " \(lane.unit)"
    // Rounds to a thousandth of the range's order of magnitude.
    let grain = pow(10, log10(max(lane.range.upperBound - lane.range.lowerBound, 1e-9)).rounded(.down) - 3)
    let ends = [lane.range.upperBound, lane.range.lowerBound].map {
      Digits.short(($0 / grain).rounded() * grain) + unit
    }
    let points = lane.points.map { (x($0.time), scale($0.value)) }
    let closed = "\(SVG.line(points))V\(SVG.number(bottom))H\(SVG.number(Self.left))Z"
    return [
      SVG.text(lane.name.shortened(to: 16), 28, top + 26, "name"),
      SVG.text(lane.parameter.shortened(to: 20), 28, top + 42, "small"),
      SVG.text(ends[0], Self.left - 8, top + 12, "small", anchor: "end"),
      SVG.text(ends[1], Self.left - 8, bottom - 4, "small", anchor: "end"),
      SVG.path("under", closed), line(curve, scale),
    ]
  }

  private func line(_ curve: Curve, _ y: (Double) -> Double) -> String {
    SVG.path(curve.kind.rawValue, SVG.line(curve.points.map { (x($0.time), y($0.value)) }))
  }

  private func x(_ time: Double) -> Double {
    Self.left + (Self.right - Self.left) * min(max(time / duration, 0), 1)
  }
}

extension TimelinePicture.Lane {
  /// Returns the height of a value in the row, from 0 to 1.
  fileprivate func share(_ value: Double) -> Double {
    let scaled = { (value: Double) in isLogarithmic ? log2(max(value, range.lowerBound)) : value }
    let low = scaled(range.lowerBound), high = scaled(range.upperBound)
    return high > low ? (scaled(value) - low) / (high - low) : 0.5
  }
}
