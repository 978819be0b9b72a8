// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

/// The elements of SVG pictures, and their common style.
enum SVG {
  /// Colours for items of one kind, readable on light and dark backgrounds.
  static let colors = [
    "#d9542b", "#2d8bb8", "#8566b8", "#339a5b", "#c98a0c", "#c8457f", "#5674d6", "#7d8f2d",
  ]

  /// Returns a picture with a title for screen readers.
  ///
  /// - Parameters:
  ///   - light: Additional CSS rules for the light appearance.
  ///   - dark: The rules that differ in the dark appearance.
  static func document(
    width: Double, height: Double, title: String, light: String, dark: String = "", _ lines: [String]
  ) -> String {
    let (width, height) = (number(width), number(height))
    let head = [
      #"<svg xmlns="http://www.w3.org/2000/svg" width="\#(width)" height="\#(height)""#
        + #" viewBox="0 0 \#(width) \#(height)">"#,
      "<title>\(Markup.escaped(title))</title>", "<style>\(style(light, dark))</style>",
      #"<rect class="paper" width="100%" height="100%"/>"#,
    ]
    return (head + lines + ["</svg>"]).joined(separator: "\n") + "\n"
  }

  /// Returns the style sheet: dark lines on light; light on dark if the reader prefers it.
  private static func style(_ light: String, _ dark: String) -> String {
    """
    text { font: 12px Inter, "Helvetica Neue", Helvetica, Arial, sans-serif; fill: #5a6370; }
    .paper { fill: #fcfcfa; } .title { font-size: 18px; font-weight: 600; fill: #1d2127; }
    .grid { stroke: #e9ecef; stroke-width: 1; } .main { stroke: #d5dae0; } .zero { stroke: #98a1ac; }
    .word { fill: #343a43; }
    \(light)
    @media (prefers-color-scheme: dark) {
      text { fill: #9aa4b1; } .paper { fill: #14171c; } .title { fill: #f1f3f5; } .word { fill: #d5dae0; }
      .grid { stroke: #242931; } .main { stroke: #353c46; } .zero { stroke: #66707d; }
      \(dark)
    }
    """
  }

  /// Returns a coordinate rounded to a tenth of a point.
  static func number(_ value: Double) -> String { Digits.short((value * 10).rounded() / 10) }

  /// Returns a path with a CSS class.
  static func path(_ kind: String, _ points: String, _ more: String = "") -> String {
    #"<path class="\#(kind)" d="\#(points)"\#(more)/>"#
  }

  /// Returns path data for a line through points.
  static func line(_ points: some Sequence<(x: Double, y: Double)>) -> String {
    points.enumerated().map { index, point in
      "\(index == 0 ? "M" : "L")\(number(point.x)) \(number(point.y))"
    }.joined()
  }

  /// Returns a text at a position, escaped.
  static func text(
    _ text: String, _ x: Double, _ y: Double, _ kind: String = "label", anchor: String = "start",
    _ more: String = ""
  ) -> String {
    let attributes = #"x="\#(number(x))" y="\#(number(y))" text-anchor="\#(anchor)""#
    return #"<text class="\#(kind)" \#(attributes)\#(more)>\#(Markup.escaped(text))</text>"#
  }

  /// Returns a rectangle.
  static func box(
    _ kind: String, _ x: Double, _ y: Double, _ width: Double, _ height: Double, _ more: String = ""
  ) -> String {
    #"<rect class="\#(kind)" x="\#(number(x))" y="\#(number(y))" width="\#(number(width))""#
      + #" height="\#(number(height))"\#(more)/>"#
  }
}
