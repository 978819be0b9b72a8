// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import SwiftletTesting
import SwiftletTimeline
import Testing

struct RandomCompositionTests {
  private static func time(_ tick: Int) -> MediaTime { .milliseconds(tick * 100) }
  private static func range(_ ticks: Range<Int>) -> Range<MediaTime> {
    time(ticks.lowerBound)..<time(ticks.upperBound)
  }

  /// A composition and its model, which get the same edits.
  private struct Pair {
    var history = History(Composition()), generator: SeededGenerator
    var models = [TickModel()], now = 0
    var edits = 0, refusals = 0, returns = 0

    var model: TickModel { models[now] }

    /// Edits both. If `expected` is nil, the composition must refuse the edit.
    mutating func edit(
      _ expected: TickModel?, _ change: (inout Composition) throws(CompositionError) -> Void
    ) -> Bool {
      let before = history.value
      do throws(CompositionError) {
        try history.edit("", change)
        guard let expected else { return false }
        models = models[...now] + [expected]
        now += 1
        edits += 1
        return true
      } catch {
        refusals += 1
        return expected == nil && history.value == before
      }
    }

    mutating func number(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &generator) }

    mutating func step() -> Bool {
      var next = model
      // One edit in ten may name a missing track, and one in ten may have a range out of bounds.
      let isOdd = number(0...9) == 0, count = next.lanes.count
      let name = TrackID(isOdd || count == 0 ? "\(number(0...4))" : next.lanes[number(0...count - 1)].name)
      let index = next.lanes.firstIndex { $0.name == name.name }
      let isAll = number(0...1) == 0, id = isAll ? nil : name
      let chosen = isAll ? 0..<count : index.map { $0..<($0 + 1) }
      let last = next.duration, isWild = number(0...9) == 0
      let start = isWild ? number(-9...40) : number(0...max(last - 1, 0))
      let end = isWild ? start + number(0...12) : number(start...max(min(last, start + 12), start + 1))
      let isForward = 0 <= start && start < end, isInside = isForward && end <= next.duration
      switch count == 0 ? 0 : number(0...12) {
      case 0:
        let name = TrackID("\(number(0...4))"), index = next.lanes.firstIndex { $0.name == name.name }
        if index == nil { next.lanes.append(.init(name: name.name)) }
        return edit(index == nil ? next : nil) { composition throws(CompositionError) in
          try composition.add(name)
        }
      case 1 where number(0...2) == 0:
        if let index { next.lanes.remove(at: index) }
        return edit(index == nil ? nil : next) { composition throws(CompositionError) in
          try composition.remove(name)
        }
      case 2:
        let isEnabled = number(0...1) == 0
        if let index { next.lanes[index].isEnabled = isEnabled }
        return edit(index == nil ? nil : next) { composition throws(CompositionError) in
          try composition.setEnabled(isEnabled, of: name)
        }
      case 3:
        let volume = Float(number(-1...4))
        if let index { next.lanes[index].volume = volume }
        return edit(index == nil || volume < 0 ? nil : next) { composition throws(CompositionError) in
          try composition.setVolume(volume, of: name)
        }
      case 4, 5, 6:
        let asset = number(1...3), at = number(0...3) == 0 ? nil : Optional(number(-1...last + 3))
        let from = number(0...30), to = from + number(0...12),
          isPossible = from < to && to <= 36 && (at ?? 0) >= 0
        if isPossible, let index { next.insert(from..<to, of: asset, at: at, in: index) }
        let reference = AssetReference("\(asset)", duration: .milliseconds(3600)), source = range(from..<to)
        return edit(isPossible && index != nil ? next : nil) { composition throws(CompositionError) in
          try composition.insert(source, of: reference, at: at.map(time), in: name)
        }
      case 7:
        let isPossible = isForward && start < next.duration
        if isPossible, let chosen { next.insertEmpty(start..<end, in: chosen) }
        return edit(isPossible && chosen != nil ? next : nil) { composition throws(CompositionError) in
          try composition.insertEmpty(range(start..<end), in: id)
        }
      case 8:
        if isInside, let chosen { next.remove(start..<end, in: chosen) }
        return edit(isInside && chosen != nil ? next : nil) { composition throws(CompositionError) in
          try composition.remove(range(start..<end), in: id)
        }
      case 9, 10:
        let even = [end - start, 2 * (end - start), (end - start) / 2, 3 * (end - start)]
        let length = number(0...2) == 0 ? number(0...24) : even[number(0...3)],
          isPossible = isInside && length > 0
        if isPossible, let chosen, !next.scale(start..<end, to: length, in: chosen) { return true }
        return edit(isPossible && chosen != nil ? next : nil) { composition throws(CompositionError) in
          try composition.scale(range(start..<end), to: time(length), in: id)
        }
      case 11:
        returns += 1
        let isPossible = now > 0
        now -= isPossible ? 1 : 0
        return history.undo() == isPossible
      default:
        returns += 1
        let isPossible = now + 1 < models.count
        now += isPossible ? 1 : 0
        return history.redo() == isPossible
      }
    }
  }

  @Test func `ten thousand random edit sequences match a simple model, undo and redo included`() throws {
    var edits = 0, refusals = 0, returns = 0
    for seed in 1...10_000 {
      var pair = Pair(generator: SeededGenerator(seed: UInt64(seed)))
      for step in 0..<20 {
        guard pair.step() else {
          Issue.record("composition \(seed), step \(step): refused or let pass otherwise than the model")
          return
        }
        guard step % 5 == 4, let difference = pair.model.difference(from: pair.history.value) else {
          continue
        }
        Issue.record("composition \(seed), step \(step): \(difference)")
        return
      }
      // Undoes all edits, then redoes all.
      let last = pair.history.value
      while pair.history.undo() { pair.now -= 1 }
      #expect(pair.now == 0 && pair.history.value == Composition())
      while pair.history.redo() {}
      while pair.history.value != last { guard pair.history.undo() else { break } }
      #expect(pair.history.value == last)
      (edits, refusals, returns) = (edits + pair.edits, refusals + pair.refusals, returns + pair.returns)
    }
    // Each outcome is frequent.
    #expect(edits > 50_000 && refusals > 20_000 && returns > 20_000)
  }

  @Test func `odd fractions and extreme times never trap, and segments never overlap`() throws {
    var generator = SeededGenerator(seed: 4), edits = 0
    for _ in 0..<300 {
      var composition = Composition()
      try composition.add("a")
      try composition.add("b")
      for _ in 0..<40 {
        func odd() -> MediaTime {
          switch Int.random(in: 0...19, using: &generator) {
          case 0: .latest
          case 1: .seconds(-1)
          case 2: MediaTime(frames: 1, at: 16_777_213)
          case 3: Composition.longest
          default:
            MediaTime(
              frames: .random(in: 0...30_000_000, using: &generator),
              at: .random(in: 900_000...16_777_216, using: &generator))
          }
        }
        let (one, other) = (odd(), odd()), range = min(one, other)..<max(one, other)
        let id: TrackID = Bool.random(using: &generator) ? "a" : "b",
          some = Bool.random(using: &generator) ? id : nil
        do throws(CompositionError) {
          switch Int.random(in: 0...4, using: &generator) {
          case 0, 1: try composition.insert(range, of: AssetReference("x"), at: odd(), in: id)
          case 2: try composition.insertEmpty(range, in: some)
          case 3: try composition.scale(range, to: odd(), in: some)
          default: try composition.remove(range, in: some)
          }
          edits += 1
          try composition.validate()
        } catch {
          if case .overlap = error { Issue.record("\(error)") }
        }
        for segment in composition.tracks.flatMap(\.segments) {
          #expect(!segment.range.isEmpty && !segment.source.isEmpty && segment.range.lowerBound >= .zero)
        }
      }
    }
    #expect(edits > 3000)
  }
}
