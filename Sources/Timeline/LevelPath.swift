// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import SwiftletSignal

/// A path of levels in decibels with straight lines, which becomes an automation of a gain factor.
struct LevelPath {
  /// A level that moves over a range, unless that is empty, and then stays.
  private struct Line {
    var range: Range<MediaTime>
    var from: Double, to: Double

    /// Returns the level at a time within the range or after it.
    func level(at time: MediaTime) -> Double {
      guard time < range.upperBound else { return to }
      let length = range.upperBound.seconds(since: range.lowerBound)
      return from + (to - from) * (time.seconds(since: range.lowerBound) / length)
    }
  }

  /// The lines in order; none begins before the previous one has ended. Before the first, the level is 0 dB.
  private var lines: [Line] = []

  /// Moves from one level to another until `end` at the latest, and returns the level that is reached.
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

  /// Returns the lower of this path and another at each moment, switching where they cross.
  func lowered(to other: LevelPath) -> LevelPath {
    let paths = [self, other]
    let times = Set(paths.flatMap { $0.lines.flatMap { [$0.range.lowerBound, $0.range.upperBound] } })
      .sorted()
    var lowest = LevelPath()
    // The current line of each path. No line begins within an interval.
    var held: [Int?] = [nil, nil]
    // The path and line that were followed last.
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
      // `after` is just before the end; after it, another line may begin at another level.
      let before = difference(start), after = difference(end)
      if before * after < 0 {
        let untilCrossing = end.seconds(since: start) * before / (before - after)
        let middle = min(max(start + MediaTime(nearest: untilCrossing), start), end)
        if middle > start { follow(before < 0 ? 0 : 1, from: start, to: middle) }
        if end > middle { follow(after < 0 ? 0 : 1, from: middle, to: end) }
      } else {
        follow(before < 0 || before == 0 && after <= 0 ? 0 : 1, from: start, to: end)
      }
    }
    return lowest
  }

  /// Returns the index of the line at a time, given the one at an earlier time; nil before the first.
  private func line(at time: MediaTime, from earlier: Int?) -> Int? {
    var next = earlier.map { $0 + 1 } ?? 0
    while next < lines.count, lines[next].range.lowerBound <= time { next += 1 }
    return next > 0 ? next - 1 : nil
  }

  /// The path as an automation of a gain factor.
  var automation: Automation {
    var automation = Automation(1)
    for line in lines {
      // All values are finite and all times in order, so that no call throws.
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
