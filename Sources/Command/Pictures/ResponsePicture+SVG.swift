// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import Glibc

extension ResponsePicture {
  private static let left = 62.0, right = 936.0, top = 66.0, bottom = 426.0
  /// The colours of bands, which stand out on light and on dark.
  private static let colors = [
    "#d9542b", "#2d8bb8", "#8566b8", "#339a5b", "#c98a0c", "#c8457f", "#5674d6", "#7d8f2d",
  ]
  /// Lines are dark on light; where the reader prefers it, light on dark.
  private static let style = """
    text { font: 12px Inter, "Helvetica Neue", Helvetica, Arial, sans-serif; fill: #5a6370; }
    .paper { fill: #fcfcfa; } .title { font-size: 18px; font-weight: 600; fill: #1d2127; }
    .grid { stroke: #e9ecef; stroke-width: 1; } .main { stroke: #d5dae0; } .zero { stroke: #98a1ac; }
    .area { fill-opacity: 0.08; } .band { fill: none; stroke-width: 1.4; }
    .total { fill: none; stroke: #1d2127; stroke-width: 2.8; }
    .word { fill: #343a43; } .mark { fill: #fcfcfa; stroke-width: 1.4; }
    .number { font-size: 11px; font-weight: 600; }
    @media (prefers-color-scheme: dark) {
      text { fill: #9aa4b1; } .paper { fill: #14171c; } .title { fill: #f1f3f5; } .word { fill: #d5dae0; }
      .grid { stroke: #242931; } .main { stroke: #353c46; } .zero { stroke: #66707d; }
      .total { stroke: #f4f6f8; } .mark { fill: #14171c; }
    }
    """

  /// The lowest and the highest level that are drawn, whole steps of 6 dB.
  var levels: ClosedRange<Double> {
    let all = (totals + bands.map(\.line)).flatMap(\.decibels).filter(\.isFinite)
    let high = (((all.max() ?? 0) + 2) / 6).rounded(.up) * 6
    let low = (((all.min() ?? 0) - 2) / 6).rounded(.down) * 6
    return max(min(low, -12), -36)...min(max(high, 12), 60)
  }

  /// The picture in SVG, 960 points wide.
  var svg: String {
    let levels = levels, height = Self.number(Self.bottom + 62 + 24 * Double((bands.count + 2) / 3))
    var lines = [
      #"<svg xmlns="http://www.w3.org/2000/svg" width="960" height="\#(height)""#
        + #" viewBox="0 0 960 \#(height)">"#,
      "<title>\(Markup.escaped(title)): frequency response</title>", "<style>\(Self.style)</style>",
      #"<rect class="paper" width="100%" height="100%"/>"#,
      Self.text(title, Self.left, 34, "title"), Self.text(note, Self.right, 34, anchor: "end"),
    ]
    lines += grid(levels)
    lines.append(#"<clipPath id="field"><rect x="62" y="66" width="874" height="360"/></clipPath>"#)
    lines.append(#"<g clip-path="url(#field)" stroke-linejoin="round">"#)
    for band in bands { lines += drawn(band, levels) }
    for (place, total) in totals.enumerated() {
      lines.append(Self.path("total", Self.points(total, levels), Self.dashes(place)))
    }
    lines.append("</g>")
    for band in bands { lines += mark(band, levels) }
    return (lines + legend + ["</svg>"]).joined(separator: "\n") + "\n"
  }

  private func grid(_ levels: ClosedRange<Double>) -> [String] {
    var lines: [String] = []
    let (top, bottom) = (Self.number(Self.top), Self.number(Self.bottom))
    let (left, right) = (Self.number(Self.left), Self.number(Self.right))
    for decade in [10.0, 100, 1000, 10_000] {
      for digit in 1...9 {
        let frequency = decade * Double(digit), isMain = [1, 2, 5].contains(digit)
        guard (20...20_000).contains(frequency) else { continue }
        let x = Self.x(frequency)
        lines.append(Self.path(isMain ? "grid main" : "grid", "M\(Self.number(x)) \(top)V\(bottom)"))
        guard isMain else { continue }
        let label = frequency < 1000 ? "\(Int(frequency))" : "\(Int(frequency / 1000))k"
        lines.append(Self.text(label, x, Self.bottom + 20, anchor: "middle"))
      }
    }
    let step = levels.upperBound - levels.lowerBound > 54 ? 12.0 : 6
    let lowest = (levels.lowerBound / step).rounded(.up) * step
    for level in stride(from: lowest, through: levels.upperBound, by: step) {
      let y = Self.y(level, levels), sign = level > 0 ? "+" : level < 0 ? "−" : ""
      lines.append(
        Self.path(level == 0 ? "grid zero" : "grid main", "M\(left) \(Self.number(y))H\(right)"))
      lines.append(Self.text("\(sign)\(Int(abs(level)))", Self.left - 9, y + 4, anchor: "end"))
    }
    lines.append(Self.text("dB", Self.left - 9, Self.top - 12, anchor: "end"))
    lines.append(Self.text("Hz", Self.left - 22, Self.bottom + 20, anchor: "end"))
    return lines
  }

  /// A band's line, and a breath of its colour between it and 0 dB.
  private func drawn(_ band: Band, _ levels: ClosedRange<Double>) -> [String] {
    let points = Self.points(band.line, levels), color = Self.color(band)
    let closed = "\(points)V\(Self.number(Self.y(0, levels)))H\(Self.number(Self.left))Z"
    return [
      Self.path("area", closed, #" fill="\#(color)""#), Self.path("band", points, #" stroke="\#(color)""#),
    ]
  }

  /// A band's number on its line.
  private func mark(_ band: Band, _ levels: ClosedRange<Double>) -> [String] {
    guard let mark = band.mark, (20...20_000).contains(mark.frequency) else { return [] }
    let y = min(max(Self.y(mark.decibels, levels), Self.top + 10), Self.bottom - 10)
    return Self.bead(band, Self.x(mark.frequency), y)
  }

  /// What each band is, below the field; and what each of several bold lines is, above it.
  private var legend: [String] {
    let below = bands.enumerated().flatMap { place, band in
      let x = Self.left + 9 + 294 * Double(place % 3), y = Self.bottom + 52 + 24 * Double(place / 3)
      return Self.bead(band, x, y) + [Self.text(band.line.label, x + 18, y + 4, "word")]
    }
    guard totals.count > 1 else { return below }
    let above = totals.enumerated().flatMap { place, total in
      let x = Self.right - 106 * Double(totals.count - place) + 14, y = Self.top - 12
      let line = "M\(Self.number(x)) \(Self.number(y - 4))h44"
      return [Self.path("total", line, Self.dashes(place)), Self.text(total.label, x + 52, y, "word")]
    }
    return below + above
  }

  /// A band's number in a circle.
  private static func bead(_ band: Band, _ x: Double, _ y: Double) -> [String] {
    let color = color(band)
    return [
      #"<circle class="mark" cx="\#(number(x))" cy="\#(number(y))" r="9" stroke="\#(color)"/>"#,
      text("\(band.number)", x, y + 4, "number", anchor: "middle", #" style="fill: \#(color)""#),
    ]
  }

  /// How the second bold line and those after it are told from the first.
  private static func dashes(_ place: Int) -> String {
    place == 0 ? "" : #" stroke-dasharray="\#(["9 5", "2 4", "12 4 2 4"][(place - 1) % 3])""#
  }

  private static func color(_ band: Band) -> String { colors[(band.number - 1) % colors.count] }

  private static func x(_ frequency: Double) -> Double {
    left + (right - left) * log10(frequency / 20) / 3
  }

  private static func y(_ decibels: Double, _ levels: ClosedRange<Double>) -> Double {
    // What lies far outside is cut off by the field; a number that is none must not get into the picture.
    let level = decibels.isNaN ? 0 : min(max(decibels, levels.lowerBound - 60), levels.upperBound + 60)
    return bottom - (bottom - top) * (level - levels.lowerBound) / (levels.upperBound - levels.lowerBound)
  }

  private static func points(_ line: Line, _ levels: ClosedRange<Double>) -> String {
    zip(frequencies, line.decibels).enumerated().map { place, point in
      "\(place == 0 ? "M" : "L")\(number(x(point.0))) \(number(y(point.1, levels)))"
    }.joined()
  }

  private static func path(_ kind: String, _ points: String, _ more: String = "") -> String {
    #"<path class="\#(kind)" d="\#(points)"\#(more)/>"#
  }

  private static func number(_ value: Double) -> String { Digits.short((value * 10).rounded() / 10) }

  private static func text(
    _ text: String, _ x: Double, _ y: Double, _ kind: String = "label", anchor: String = "start",
    _ more: String = ""
  ) -> String {
    let place = #"x="\#(number(x))" y="\#(number(y))" text-anchor="\#(anchor)""#
    return #"<text class="\#(kind)" \#(place)\#(more)>\#(Markup.escaped(text))</text>"#
  }
}
