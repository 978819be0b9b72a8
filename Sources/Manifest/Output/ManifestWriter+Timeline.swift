// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import SwiftletGraph
internal import Swiftlet

extension Manifest.Node {
  /// Whether the node is a track, which the timeline contains.
  var isTrack: Bool { if case .track = kind { true } else { false } }
}

extension ManifestWriter {
  /// Returns a track's clips, with its other properties if they differ from the defaults.
  static func tree(_ track: Manifest.Track) -> Tree {
    let clips = Tree.list(track.clips.map { tree($0) })
    var entries: [(key: String, value: Tree)] = []
    for key in TrackKey.allCases {
      switch key {
      case .pieces: entries.append((key.rawValue, clips))
      case .enabled: if !track.isEnabled { entries.append((key.rawValue, .scalar("false"))) }
      case .volume: if track.volume != 1 { entries.append((key.rawValue, factor(track.volume))) }
      case .declick: if let declick = track.declick { entries.append((key.rawValue, .scalar(time(declick)))) }
      case .mix:
        if !track.mix.isEmpty { entries.append((key.rawValue, .list(track.mix.map { tree($0) }))) }
      }
    }
    return entries.count > 1 ? .mapping(entries) : clips
  }

  static func tree(_ clip: Manifest.Clip) -> Tree {
    var entries: [(key: String, value: Tree)] = []
    func add(_ key: TrackClipKey, _ value: String?) {
      if let value { entries.append((key.rawValue, .scalar(value))) }
    }
    for key in TrackClipKey.allCases {
      switch key {
      case .file: add(key, scalar(clip.file.text))
      case .from: add(key, clip.from == .zero ? nil : time(clip.from))
      case .to: add(key, clip.to.map(time))
      case .at: add(key, clip.at.map(time))
      case .lasts: add(key, clip.lasts.map(time))
      case .until: add(key, clip.until.map(time))
      case .keepsPitch: add(key, clip.keepsPitch ? nil : "false")
      }
    }
    return .mapping(entries)
  }

  /// Returns the key of a lane: its target.
  static func key(_ lane: Manifest.Lane) -> String {
    switch lane.target {
    case .node(let name, let parameter): scalar("\(name.text).\(parameter)")
    case .wire(let from, let to, let value): JSONValue.quoted("\(from) -> \(to).\(value)")
    }
  }

  /// Returns the steps and ramps of a lane.
  static func tree(_ lane: Manifest.Lane) -> Tree {
    .list(
      lane.segments.map { segment in
        let end = Tree.scalar(scalar(segment.to.text))
        let value = segment.from.map { Tree.list([.scalar(scalar($0.text)), end]) } ?? end
        return .mapping([(LaneSegmentKey.value.rawValue, value)] + tree(segment.range, segment.curve))
      })
  }

  /// Returns the keys for the time range and the curve.
  private static func tree(
    _ range: Range<MediaTime>, _ curve: Automation.Curve
  ) -> [(key: String, value: Tree)] {
    var entries: [(key: String, value: Tree)] =
      range.isEmpty
      ? [(MoveKey.at.rawValue, .scalar(time(range.lowerBound)))]
      : [
        (MoveKey.from.rawValue, .scalar(time(range.lowerBound))),
        (MoveKey.to.rawValue, .scalar(time(range.upperBound))),
      ]
    if curve != .linear { entries.append((MoveKey.curve.rawValue, .scalar(scalar("\(curve)")))) }
    return entries
  }

  static func tree(_ move: Manifest.MixSegment) -> Tree {
    var entries: [(key: String, value: Tree)] = []
    func add(_ key: MoveKey, _ value: Tree) { entries.append((key.rawValue, value)) }
    switch move.kind {
    case .volume(let from, let to): add(.volume, ends(from, to))
    case .pan(let from, let to, let law):
      add(.pan, ends(from, to))
      if let law { add(.panLaw, .scalar(law.rawValue)) }
    case .ducked(let from, let to): add(.ducking, ends(from, to))
    case .ducking(let under, let ducking):
      add(.under, .scalar(scalar(under.text)))
      add(.by, .scalar("\(Quantity(Double(ducking.depth), .decibels))"))
      let lengths = [
        (MoveKey.attack, ducking.attack), (.release, ducking.release), (.hold, ducking.hold),
        (.ahead, ducking.lookAhead),
      ]
      for (key, length) in lengths { add(key, .scalar(time(length))) }
      return .mapping(entries)
    }
    return .mapping(entries + tree(move.range, move.curve))
  }

  private static func ends(_ from: Float?, _ to: Float) -> Tree {
    from.map { .list([factor($0), factor(to)]) } ?? factor(to)
  }

  /// Returns a factor with the fewest digits that identify the 32-bit float.
  private static func factor(_ value: Float) -> Tree {
    .scalar("\(Quantity(Double("\(value)") ?? Double(value)))")
  }

  static func time(_ time: MediaTime) -> String { scalar("\(time)") }
}
