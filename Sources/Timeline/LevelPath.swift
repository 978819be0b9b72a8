// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import SwiftletSignal

/// Levels in decibels that move in straight lines, to be written as an automation of what to multiply by.
struct LevelPath {
  /// A level that moves over a range, where it is not empty, and then stays.
  private struct Line {
    var range: Range<MediaTime>
    var from: Double, to: Double

    /// The level at a time of the range or behind it.
    func level(at time: MediaTime) -> Double {
      guard time < range.upperBound else { return to }
      let length = range.upperBound.seconds(since: range.lowerBound)
      return from + (to - from) * (time.seconds(since: range.lowerBound) / length)
    }
  }

  /// In order; none begins before the one before has ended. Until the first the level is 0.
  private var lines: [Line] = []

  /// Moves from one level to another, unless there is no time left for it, and gives the level that is
  /// reached.
  mutating func move(
    from: Double, to: Double, over length: MediaTime, at start: MediaTime, until end: MediaTime
  ) -> Double {
    func level(at time: MediaTime) -> Double {
      guard length > .zero, time < start + length else { return to }
      return from + (to - from) * (time.seconds(since: start) / length.seconds)
    }
    let first = max(start, .zero), last = min(start + length, end)
    if last > first {
      lines.append(Line(range: first..<last, from: level(at: first), to: level(at: last)))
    } else if end > first {
      lines.append(Line(range: first..<first, from: to, to: to))
    }
    return level(at: end)
  }

  /// The lower of this path and another at each moment: it changes from one to the other where they cross.
  func lowered(to other: LevelPath) -> LevelPath {
    let paths = [self, other]
    let times = Set(paths.flatMap { $0.lines.flatMap { [$0.range.lowerBound, $0.range.upperBound] } })
      .sorted()
    var lowest = LevelPath()
    // Which line of each holds; no line begins within what is followed at once.
    var held: [Int?] = [nil, nil]
    // What was followed last: whose line, and which.
    var source: (path: Int, line: Int)?
    func follow(_ path: Int, from start: MediaTime, to end: MediaTime) {
      let index = held[path]
      let line = index.map { paths[path].lines[$0] } ?? Line(range: start..<start, from: 0, to: 0)
      let level = line.level(at: start)
      defer { source = index.map { (path, $0) } }
      if start < line.range.upperBound {
        let isSame = source.map { $0 == (path, index ?? 0) } ?? false
        if isSame, let last = lowest.lines.indices.last, lowest.lines[last].range.upperBound == start {
          lowest.lines[last] = Line(
            range: lowest.lines[last].range.lowerBound..<end, from: lowest.lines[last].from,
            to: line.level(at: end))
        } else {
          lowest.lines.append(Line(range: start..<end, from: level, to: line.level(at: end)))
        }
      } else if level != lowest.lines.last?.to ?? 0 {
        lowest.lines.append(Line(range: start..<start, from: level, to: level))
      }
    }
    for (index, start) in times.enumerated() {
      let end = index + 1 < times.count ? times[index + 1] : .latest
      for path in paths.indices { held[path] = paths[path].line(at: start, from: held[path]) }
      let lines = paths.indices.map { path in held[path].map { paths[path].lines[$0] } }
      func difference(_ time: MediaTime) -> Double {
        (lines[0]?.level(at: time) ?? 0) - (lines[1]?.level(at: time) ?? 0)
      }
      // After: just before the end; behind it another line may begin elsewhere.
      let before = difference(start), after = difference(end)
      if before * after < 0 {
        let way = end.seconds(since: start) * before / (before - after)
        let middle = min(max(start + MediaTime(nearest: way), start), end)
        if middle > start { follow(before < 0 ? 0 : 1, from: start, to: middle) }
        if end > middle { follow(after < 0 ? 0 : 1, from: middle, to: end) }
      } else {
        follow(before < 0 || before == 0 && after <= 0 ? 0 : 1, from: start, to: end)
      }
    }
    return lowest
  }

  /// The line that holds at a time, where another was known to hold at an earlier one; nil before the first.
  private func line(at time: MediaTime, from earlier: Int?) -> Int? {
    var next = earlier.map { $0 + 1 } ?? 0
    while next < lines.count, lines[next].range.lowerBound <= time { next += 1 }
    return next > 0 ? next - 1 : nil
  }

  /// What to multiply by.
  var automation: Automation {
    var automation = Automation(1)
    for line in lines {
      // All values are numbers and all times in order, so that nothing here can be refused.
      if line.range.isEmpty {
        try? automation.set(Float(Decibels.amplitude(line.to)), at: line.range.lowerBound)
      } else {
        try? automation.ramp(
          from: Float(Decibels.amplitude(line.from)), to: Float(Decibels.amplitude(line.to)), in: line.range,
          curve: .decibels)
      }
    }
    return automation
  }

}
