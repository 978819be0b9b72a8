// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import Swiftlet

extension Manifest.Node {
  /// Whether it stands in the timeline.
  var isTrack: Bool { if case .track = kind { true } else { false } }
}

extension ManifestWriter {
  /// A track's pieces, and its mix if there is one.
  static func tree(_ track: Manifest.Track) -> Tree {
    let pieces = Tree.list(track.pieces.map { tree($0) })
    guard !track.mix.isEmpty else { return pieces }
    return .mapping([
      (TrackKey.pieces.rawValue, pieces), (TrackKey.mix.rawValue, .list(track.mix.map { tree($0) })),
    ])
  }

  private static func tree(_ piece: Manifest.Piece) -> Tree {
    var entries: [(key: String, value: Tree)] = []
    func add(_ key: PieceKey, _ value: String?) {
      if let value { entries.append((key.rawValue, .scalar(value))) }
    }
    for key in PieceKey.allCases {
      switch key {
      case .file: add(key, scalar(piece.file.text))
      case .from: add(key, piece.from == .zero ? nil : time(piece.from))
      case .to: add(key, piece.to.map(time))
      case .at: add(key, piece.at.map(time))
      case .lasts: add(key, piece.lasts.map(time))
      case .keepsPitch: add(key, piece.keepsPitch ? nil : "false")
      }
    }
    return .mapping(entries)
  }

  private static func tree(_ move: Manifest.Move) -> Tree {
    var entries: [(key: String, value: Tree)] = []
    func add(_ key: MoveKey, _ value: Tree) { entries.append((key.rawValue, value)) }
    switch move.kind {
    case .volume(let from, let to): add(.volume, ends(from, to))
    case .pan(let from, let to): add(.pan, ends(from, to))
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
    if move.range.isEmpty {
      add(.at, .scalar(time(move.range.lowerBound)))
    } else {
      add(.from, .scalar(time(move.range.lowerBound)))
      add(.to, .scalar(time(move.range.upperBound)))
    }
    if move.curve != .linear { add(.curve, .scalar(scalar("\(move.curve)"))) }
    return .mapping(entries)
  }

  private static func ends(_ from: Float?, _ to: Float) -> Tree {
    let end = Tree.scalar("\(Quantity(Double(to)))")
    return from.map { .list([.scalar("\(Quantity(Double($0)))"), end]) } ?? end
  }

  private static func time(_ time: MediaTime) -> String { scalar("\(time)") }
}
