// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import SwiftletSignal

/// Ducking: how music is lowered under a voice whose times are known beforehand.
///
/// Nothing is measured: the music is down when the voice begins, stays down in pauses shorter than ``hold``, and
/// comes back after the voice ends. Levels move along straight lines in decibels.
public struct Ducking: Hashable, Sendable, Codable {
  /// The gain of the music under the voice, in decibels, from −96 to 0.
  public let depth: Float
  /// The duration of the fade down.
  public let attack: MediaTime
  /// The duration of the fade up, from the end of the voice.
  public let release: MediaTime
  /// The shortest pause of the voice in which the music comes back, unless ``lookAhead`` is longer and takes its place.
  public let hold: MediaTime
  /// The time before the voice at which the fade down begins. If it equals the attack, the music is down when the
  /// voice begins.
  public let lookAhead: MediaTime

  /// Creates a ducking by 12 dB with an attack of 200 ms before the voice, a release of 500 ms after it, and a hold
  /// of 500 ms.
  public init() { (depth, attack, release, hold, lookAhead) = Self.usual }

  private static let usual = (
    Float(-12), MediaTime.milliseconds(200), MediaTime.milliseconds(500), MediaTime.milliseconds(500),
    MediaTime.milliseconds(200)
  )

  /// Creates a ducking. Values that are nil are those of ``init()``; the default of `lookAhead` is the attack.
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

  /// Decodes a ducking. Throws if a value is out of range.
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

  /// Returns the gain factor of the music under a voice at these times, which may be in any order and overlap.
  package func automation(under voice: [Range<MediaTime>]) -> Automation { path(under: voice).automation }

  /// Returns the gain factor of the music under several voices, each with its own ducking: the lowest of all at each
  /// moment.
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

  /// Returns the times at which the music is down, in order, with pauses that are too short closed.
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
