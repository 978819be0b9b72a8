// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import SwiftletSignal

/// How music makes room for a voice whose times are known beforehand.
///
/// Nothing is measured: the music is down when the voice begins, stays down in pauses shorter than ``hold``, and
/// comes back after the last word. Levels move in straight lines in decibels.
public struct Ducking: Hashable, Sendable, Codable {
  /// How far down the music goes, in decibels, from −96 to 0.
  public let depth: Float
  /// How long it takes to go down.
  public let attack: MediaTime
  /// How long it takes to come back, from the end of the voice.
  public let release: MediaTime
  /// Pauses shorter than this leave it down.
  public let hold: MediaTime
  /// How long before the voice it begins to go down. As long as the attack, it is down at the first word.
  public let lookAhead: MediaTime

  /// Down by 12 dB in 200 ms before the voice, back in 500 ms after it; pauses below half a second are too
  /// short.
  public init() { (depth, attack, release, hold, lookAhead) = Self.usual }

  private static let usual = (
    Float(-12), MediaTime.milliseconds(200), MediaTime.milliseconds(500), MediaTime.milliseconds(500),
    MediaTime.milliseconds(200)
  )

  /// A ducking that differs from ``init()`` in what is said.
  ///
  /// - Throws: ``AutomationError/badDepth(_:)``, ``AutomationError/negativeLength(_:_:)``.
  public init(
    depth: Float, attack: MediaTime? = nil, release: MediaTime? = nil, hold: MediaTime? = nil,
    lookAhead: MediaTime? = nil
  ) throws(AutomationError) {
    guard Decibels.silence...0 ~= depth else { throw .badDepth(depth) }
    self.depth = depth
    self.attack = attack ?? Self.usual.1
    self.release = release ?? Self.usual.2
    self.hold = hold ?? Self.usual.3
    self.lookAhead = lookAhead ?? self.attack
    let lengths = [
      ("attack", self.attack), ("release", self.release), ("hold", self.hold), ("look-ahead", self.lookAhead),
    ]
    for (name, length) in lengths where length < .zero { throw .negativeLength(name, length) }
  }

  private enum Key: String, CodingKey { case depth, attack, release, hold, lookAhead }

  /// Reads a ducking, and refuses one with impossible numbers.
  public init(from decoder: any Decoder) throws {
    let box = try decoder.container(keyedBy: Key.self)
    func length(_ key: Key) throws -> MediaTime? { try box.decodeIfPresent(MediaTime.self, forKey: key) }
    do {
      try self.init(
        depth: box.decode(Float.self, forKey: .depth), attack: length(.attack), release: length(.release),
        hold: length(.hold), lookAhead: length(.lookAhead))
    } catch let error as AutomationError {
      throw DecodingError.dataCorrupted(
        .init(codingPath: decoder.codingPath, debugDescription: "\(error)"))
    }
  }

  /// What the music is multiplied by while somebody speaks at these times, in any order; they may overlap.
  package func automation(under voice: [Range<MediaTime>]) -> Automation { path(under: voice).automation }

  /// What the music is multiplied by while several voices speak, each of which it makes room for in its own way: at
  /// each moment as low as the one that wants it lowest.
  package static func automation(
    under voices: [(times: [Range<MediaTime>], ducking: Ducking)]
  ) -> Automation {
    let paths = voices.map { $0.ducking.path(under: $0.times) }
    return paths.dropFirst().reduce(paths.first ?? LevelPath()) { $0.lowered(to: $1) }.automation
  }

  private func path(under voice: [Range<MediaTime>]) -> LevelPath {
    var path = LevelPath(), level = 0.0
    let ranges = spoken(voice), depth = Double(depth)
    for (index, range) in ranges.enumerated() {
      let start = range.lowerBound - lookAhead, end = range.upperBound
      level = path.move(from: level, to: depth, over: attack, at: start, until: end)
      let next = index + 1 < ranges.count ? ranges[index + 1].lowerBound - lookAhead : .latest
      level = path.move(from: level, to: 0, over: release, at: end, until: next)
    }
    return path
  }

  /// The times at which the music is wanted down: in order, and no two with a pause that is too short between
  /// them.
  private func spoken(_ voice: [Range<MediaTime>]) -> [Range<MediaTime>] {
    var spoken: [Range<MediaTime>] = []
    for range in voice.sorted(by: { $0.lowerBound < $1.lowerBound }) where !range.isEmpty {
      guard let last = spoken.last, range.lowerBound - last.upperBound < max(hold, lookAhead) else {
        spoken.append(range)
        continue
      }
      spoken[spoken.count - 1] = last.lowerBound..<max(last.upperBound, range.upperBound)
    }
    return spoken
  }
}
