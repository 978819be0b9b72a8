// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import Glibc

extension ResponsePicture {
  private static let left = 62.0, right = 936.0, top = 66.0, bottom = 426.0
  private static let light = """
    .area { fill-opacity: 0.08; } .band { fill: none; stroke-width: 1.4; }
    .total { fill: none; stroke: #1d2127; stroke-width: 2.8; }
    .mark { fill: #fcfcfa; stroke-width: 1.4; } .number { font-size: 11px; font-weight: 600; }
    """
  private static let dark = ".total { stroke: #f4f6f8; } .mark { fill: #14171c; }"

  /// The range of levels in dB, in steps of 6 dB.
  var levels: ClosedRange<Double> {
    let all = (totals + bands.map(\.line)).flatMap(\.decibels).filter(\.isFinite)
    let high = (((all.max() ?? 0) + 2) / 6).rounded(.up) * 6
    let low = (((all.min() ?? 0) - 2) / 6).rounded(.down) * 6
    return max(min(low, -12), -36)...min(max(high, 12), 60)
  }

  /// The picture as SVG, 960 points wide.
  var svg: String {
    let levels = levels
    var lines = [
      SVG.text(title, Self.left, 34, "title"), SVG.text(note, Self.right, 34, anchor: "end"),
    ]
    lines += grid(levels)
    lines.append(#"<clipPath id="field"><rect x="62" y="66" width="874" height="360"/></clipPath>"#)
    lines.append(#"<g clip-path="url(#field)" stroke-linejoin="round">"#)
    for band in bands { lines += drawn(band, levels) }
    for (index, total) in totals.enumerated() {
      lines.append(SVG.path("total", Self.points(total, levels), Self.dashes(index)))
    }
    lines.append("</g>")
    for band in bands { lines += mark(band, levels) }
    return SVG.document(
      width: 960, height: Self.bottom + 62 + 24 * Double((bands.count + 2) / 3),
      title: "\(title): frequency response", light: Self.light, dark: Self.dark, lines + legend)
  }

  private func grid(_ levels: ClosedRange<Double>) -> [String] {
    var lines: [String] = []
    let (top, bottom) = (SVG.number(Self.top), SVG.number(Self.bottom))
    let (left, right) = (SVG.number(Self.left), SVG.number(Self.right))
    for decade in [10.0, 100, 1000, 10_000] {
      for digit in 1...9 {
        let frequency = decade * Double(digit), isMain = [1, 2, 5].contains(digit)
        guard (20...20_000).contains(frequency) else { continue }
        let x = Self.x(frequency)
        lines.append(SVG.path(isMain ? "grid main" : "grid", "M\(SVG.number(x)) \(top)V\(bottom)"))
        guard isMain else { continue }
        let label = frequency < 1000 ? "\(Int(frequency))" : "\(Int(frequency / 1000))k"
        lines.append(SVG.text(label, x, Self.bottom + 20, anchor: "middle"))
      }
    }
    let step = levels.upperBound - levels.lowerBound > 54 ? 12.0 : 6
    let lowest = (levels.lowerBound / step).rounded(.up) * step
    for level in stride(from: lowest, through: levels.upperBound, by: step) {
      let y = Self.y(level, levels), sign = level > 0 ? "+" : level < 0 ? "−" : ""
      lines.append(
        SVG.path(level == 0 ? "grid zero" : "grid main", "M\(left) \(SVG.number(y))H\(right)"))
      lines.append(SVG.text("\(sign)\(Int(abs(level)))", Self.left - 9, y + 4, anchor: "end"))
    }
    lines.append(SVG.text("dB", Self.left - 9, Self.top - 12, anchor: "end"))
    lines.append(SVG.text("Hz", Self.left - 22, Self.bottom + 20, anchor: "end"))
    return lines
  }

  /// Returns a band's line, and a faint fill between it and 0 dB.
  private func drawn(_ band: Band, _ levels: ClosedRange<Double>) -> [String] {
    let points = Self.points(band.line, levels), color = Self.color(band)
    let closed = "\(points)V\(SVG.number(Self.y(0, levels)))H\(SVG.number(Self.left))Z"
    return [
      SVG.path("area", closed, #" fill="\#(color)""#), SVG.path("band", points, #" stroke="\#(color)""#),
    ]
  }

  /// Returns a band's number on its line.
  private func mark(_ band: Band, _ levels: ClosedRange<Double>) -> [String] {
    guard let mark = band.mark, (20...20_000).contains(mark.frequency) else { return [] }
    let y = min(max(Self.y(mark.decibels, levels), Self.top + 10), Self.bottom - 10)
    return Self.numberCircle(band, Self.x(mark.frequency), y)
  }

  /// The legend: bands below the plot; the total lines above it if there are several.
  private var legend: [String] {
    let below = bands.enumerated().flatMap { index, band in
      let x = Self.left + 9 + 294 * Double(index % 3), y = Self.bottom + 52 + 24 * Double(index / 3)
      return Self.numberCircle(band, x, y) + [SVG.text(band.line.label, x + 18, y + 4, "word")]
    }
    guard totals.count > 1 else { return below }
    let above = totals.enumerated().flatMap { index, total in
      let x = Self.right - 106 * Double(totals.count - index) + 14, y = Self.top - 12
      let line = "M\(SVG.number(x)) \(SVG.number(y - 4))h44"
      return [SVG.path("total", line, Self.dashes(index)), SVG.text(total.label, x + 52, y, "word")]
    }
    return below + above
  }

  /// Returns a band's number in a circle.
  private static func numberCircle(_ band: Band, _ x: Double, _ y: Double) -> [String] {
    let color = color(band)
    return [
      #"<circle class="mark" cx="\#(SVG.number(x))" cy="\#(SVG.number(y))" r="9" stroke="\#(color)"/>"#,
      SVG.text("\(band.number)", x, y + 4, "number", anchor: "middle", #" style="fill: \#(color)""#),
    ]
  }

  /// Returns the dash pattern that distinguishes total lines; none for the first.
  private static func dashes(_ index: Int) -> String {
    index == 0 ? "" : #" stroke-dasharray="\#(["9 5", "2 4", "12 4 2 4"][(index - 1) % 3])""#
  }

  private static func color(_ band: Band) -> String {
    SVG.colors[(band.number - 1) % SVG.colors.count]
  }

  private static func x(_ frequency: Double) -> Double {
    left + (right - left) * log10(frequency / 20) / 3
  }

  private static func y(_ decibels: Double, _ levels: ClosedRange<Double>) -> Double {
    // The clip path cuts off values outside the plot. NaN must not appear in SVG.
    let level = decibels.isNaN ? 0 : min(max(decibels, levels.lowerBound - 60), levels.upperBound + 60)
    return bottom - (bottom - top) * (level - levels.lowerBound) / (levels.upperBound - levels.lowerBound)
  }

  private static func points(_ line: Line, _ levels: ClosedRange<Double>) -> String {
    SVG.line(zip(frequencies, line.decibels).map { (x($0.0), y($0.1, levels)) })
  }
}
