// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

/// The layout of a large picture: columns from left to right, with each box to the right of all its sources.
///
/// Graphviz' own layout takes quadratic time and more. This one takes linear time, except for sorting. A box's column
/// is the length of the longest path to it. Within a column, boxes are sorted by the mean height of their neighbours,
/// in a few sweeps.
struct PictureLayout {
  /// The centre of each box in points, with y upwards: nodes first, then taps.
  private(set) var positions: [(x: Double, y: Double)]

  /// The gaps between columns, and between the boxes of a column, in points.
  private static let columnGap = 60.0, rowGap = 25.0
  /// The number of sweeps that sort all columns from left to right and back.
  private static let sweeps = 3

  private let sizes: [(width: Double, height: Double)]
  /// The boxes of each column from top to bottom.
  private var columns: [[Int]]

  /// Computes the layout of a picture.
  init(_ picture: Picture) {
    sizes =
      picture.nodes.map { Self.size($0.name, $0.notes) }
      + picture.taps.map { Self.size($0.name, $0.file.map { [$0] } ?? []) }
    // A tap is placed as if a wire led to it.
    let lines =
      picture.wires.filter { !$0.isFeedback && $0.from != $0.to }.map { ($0.from, $0.to) }
      + picture.taps.enumerated().map { ($1.node, picture.nodes.count + $0) }
    var before = Array(repeating: [Int](), count: sizes.count), after = before
    for (from, to) in lines {
      after[from].append(to)
      before[to].append(from)
    }
    columns = Self.columns(before, after)
    positions = Array(repeating: (0, 0), count: sizes.count)
    for column in columns.indices { stack(column) }
    for _ in 0..<Self.sweeps {
      for column in columns.indices.dropFirst() { sort(column, by: before) }
      for column in columns.indices.dropLast().reversed() { sort(column, by: after) }
    }
    var x = 0.0
    for column in columns {
      let width = column.map { sizes[$0].width }.max() ?? 0
      for box in column { positions[box].x = x + width / 2 }
      x += width + Self.columnGap
    }
  }

  /// Returns the boxes of each column. Boxes in a loop without a feedback wire go into the first column.
  private static func columns(_ before: [[Int]], _ after: [[Int]]) -> [[Int]] {
    var column = Array(repeating: 0, count: before.count), missing = before.map(\.count)
    var ready = before.indices.filter { missing[$0] == 0 }, next = 0
    while next < ready.count {
      for box in after[ready[next]] {
        column[box] = max(column[box], column[ready[next]] + 1)
        missing[box] -= 1
        if missing[box] == 0 { ready.append(box) }
      }
      next += 1
    }
    var columns = Array(repeating: [Int](), count: (column.max() ?? 0) + 1)
    for box in before.indices { columns[missing[box] == 0 ? column[box] : 0].append(box) }
    return columns
  }

  /// Sorts a column's boxes by the mean height of their neighbours. A box without neighbours keeps its height.
  private mutating func sort(_ column: Int, by neighbours: [[Int]]) {
    guard columns[column].count > 1 else { return stack(column) }
    let heights = columns[column].map { box -> Double in
      guard !neighbours[box].isEmpty else { return positions[box].y }
      return neighbours[box].reduce(0) { $0 + positions[$1].y } / Double(neighbours[box].count)
    }
    // By height first, then in the previous order.
    let order = heights.indices.sorted { (-heights[$0], $0) < (-heights[$1], $1) }
    columns[column] = order.map { columns[column][$0] }
    stack(column)
  }

  /// Stacks a column's boxes, centred vertically.
  private mutating func stack(_ column: Int) {
    let boxes = columns[column]
    var y = boxes.reduce(-Self.rowGap) { $0 + sizes[$1].height + Self.rowGap } / 2
    for box in boxes {
      positions[box].y = y - sizes[box].height / 2
      y -= sizes[box].height + Self.rowGap
    }
  }

  /// Returns the estimated size of a box with a name and lines below it, in points.
  private static func size(_ name: String, _ lines: [String]) -> (width: Double, height: Double) {
    let text = max(Double(name.count) * 7, Double(lines.map(\.count).max() ?? 0) * 5.5)
    return (max(text + 20, 54), max(Double(lines.count) * 11 + 22, 36))
  }
}
