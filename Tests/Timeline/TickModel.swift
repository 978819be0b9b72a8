// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import SwiftletTimeline

/// A slow and simple model of a composition: for each tick of 0.1 s of a track, the asset in the middle of the tick.
struct TickModel: Equatable {
  struct Tick: Equatable {
    var asset: Int
    /// The asset's time in the middle of the tick, in ticks, and how far it advances in one tick.
    var middle: Double, speed: Double
  }
  struct Lane: Equatable {
    var name: String
    var isEnabled = true, volume: Float = 1
    var ticks: [Tick?] = []

    mutating func trim() { while let last = ticks.last, last == nil { ticks.removeLast() } }
    mutating func pad(to count: Int) { while ticks.count < count { ticks.append(nil) } }

    /// Whether the sound of the previous tick continues in the tick at `index`, which is at least 1.
    func goesOn(at index: Int) -> Bool {
      let before = index - 1 < ticks.count ? ticks[index - 1] : nil,
        after = index < ticks.count ? ticks[index] : nil
      guard let one = before, let other = after else { return before == nil && after == nil }
      return one.asset == other.asset && abs(one.speed - other.speed) < 1e-9
        && abs(other.middle - one.middle - one.speed) < 1e-9
    }
  }

  var lanes: [Lane] = []
  var duration: Int { lanes.map(\.ticks.count).max() ?? 0 }

  mutating func insert(_ source: Range<Int>, of asset: Int, at tick: Int?, in lane: Int) {
    let at = tick ?? lanes[lane].ticks.count
    lanes[lane].pad(to: at)
    lanes[lane].ticks.insert(
      contentsOf: source.map { Tick(asset: asset, middle: Double($0) + 0.5, speed: 1) }, at: at)
    lanes[lane].trim()
  }

  mutating func insertEmpty(_ range: Range<Int>, in chosen: Range<Int>) {
    for lane in chosen where range.lowerBound < lanes[lane].ticks.count {
      lanes[lane].ticks.insert(contentsOf: range.map { _ in nil }, at: range.lowerBound)
      lanes[lane].trim()
    }
  }

  mutating func remove(_ range: Range<Int>, in chosen: Range<Int>) {
    for lane in chosen {
      lanes[lane].pad(to: range.upperBound)
      lanes[lane].ticks.removeSubrange(range)
      lanes[lane].trim()
    }
  }

  /// Returns false if a segment would begin within a tick, which this model cannot represent.
  mutating func scale(_ range: Range<Int>, to length: Int, in chosen: Range<Int>) -> Bool {
    for lane in chosen {
      for index in 1..<max(range.count, 1) where !lanes[lane].goesOn(at: range.lowerBound + index) {
        guard (index * length).isMultiple(of: range.count) else { return false }
      }
    }
    let ratio = Double(range.count) / Double(length)
    for lane in chosen {
      lanes[lane].pad(to: range.upperBound)
      let old = Array(lanes[lane].ticks[range])
      let new = (0..<length).map { index -> Tick? in
        let position = (Double(index) + 0.5) * ratio, whole = Int(position)
        return old[whole].map {
          Tick(
            asset: $0.asset, middle: $0.middle + (position - Double(whole) - 0.5) * $0.speed,
            speed: $0.speed * ratio)
        }
      }
      lanes[lane].ticks.replaceSubrange(range, with: new)
      lanes[lane].trim()
    }
    return true
  }

  /// The first difference from a composition; nil if there is none.
  func difference(from composition: Composition) -> String? {
    guard lanes.map({ TrackID($0.name) }) == composition.tracks.map(\.id) else { return "other tracks" }
    for (lane, track) in zip(lanes, composition.tracks) {
      guard lane.isEnabled == track.isEnabled, lane.volume == track.volume else { return "another state" }
      guard track.duration == .milliseconds(lane.ticks.count * 100) else {
        return "\(track.id) lasts \(track.duration), not \(lane.ticks.count) ticks"
      }
      for (index, tick) in lane.ticks.enumerated() {
        let time = MediaTime.milliseconds(index * 100 + 50), segment = track.segment(at: time)
        guard segment?.asset.path == tick.map({ "\($0.asset)" }) else { return "another asset at \(time)" }
        guard let segment, let tick else { continue }
        let source = segment.source(at: time).seconds * 10
        guard abs(source - tick.middle) < 1e-6, abs(segment.speed - tick.speed) < 1e-6 else {
          return "\(segment) at \(time) is at \(source), not at \(tick.middle)"
        }
      }
    }
    return nil
  }
}
