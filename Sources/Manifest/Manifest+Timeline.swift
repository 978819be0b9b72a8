// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

public import Swiftlet

extension Manifest {
  /// Whose time the timeline is.
  public enum TransportChoice: String, CaseIterable, Sendable {
    /// The engine's own.
    case own
    /// The transport's.
    case follow
    /// The transport's, which is told of bars, beats and tempo.
    case lead
  }

  /// When the timeline starts.
  public enum TimelineStart: String, CaseIterable, Sendable {
    /// With the first sound.
    case now
    /// When the user starts it.
    case paused
  }

  /// A track of the timeline: pieces of sound, and what a mix makes of them. It is a node by its name.
  public struct Track: Sendable, Equatable {
    /// What is played, in the order of the text.
    public var pieces: [Piece]
    /// How its level and its place move.
    public var mix: [Move]
    /// Whether it is heard.
    public var isEnabled: Bool
    /// What its sound is multiplied by, besides what the mix says; from 0 up.
    public var volume: Float

    /// A track of pieces, heard as loud as they are unless told otherwise.
    public init(_ pieces: [Piece], mix: [Move] = [], isEnabled: Bool = true, volume: Float = 1) {
      self.pieces = pieces
      self.mix = mix
      self.isEnabled = isEnabled
      self.volume = volume
    }
  }

  /// A piece of a sound file at its place in a track, or a clip of a movie at its place in the picture.
  public struct Piece: Sendable, Equatable {
    /// The file's path, relative to the manifest.
    public var file: Text
    /// Where in the file it begins.
    public var from: MediaTime
    /// Where in the file it ends; nil for the file's end.
    public var to: MediaTime?
    /// When it plays; nil for where the piece before it ends.
    public var at: MediaTime?
    /// How long it plays; nil for as long as it is, or until ``until``.
    public var lasts: MediaTime?
    /// When it has played, in place of ``lasts``.
    public var until: MediaTime?
    /// Whether another length leaves the pitch as it was. Of no meaning for a clip.
    public var keepsPitch: Bool
    /// Where it is written.
    public var place: Place

    /// A piece that differs from the whole file only in what is said.
    public init(
      _ file: Text, from: MediaTime = .zero, to: MediaTime? = nil, at: MediaTime? = nil,
      lasts: MediaTime? = nil, until: MediaTime? = nil,
      keepsPitch: Bool = true, place: Place = .start
    ) {
      self.file = file
      self.from = from
      self.to = to
      self.at = at
      self.lasts = lasts
      self.until = until
      self.keepsPitch = keepsPitch
      self.place = place
    }
  }

  /// How one value moves over time.
  public struct Lane: Sendable, Equatable {
    /// What moves.
    public enum Target: Sendable, Equatable {
      /// A parameter, the volume or the pan of a node.
      case node(Text, parameter: String)
      /// The volume or the pan of a wire, by its two ends.
      case wire(from: End, to: End, value: String)
    }

    /// What moves.
    public var target: Target
    /// Where it goes.
    public var turns: [Turn]
    /// Where it is written.
    public var place: Place

    /// A lane of some turns.
    public init(_ target: Target, _ turns: [Turn], place: Place = .start) {
      self.target = target
      self.turns = turns
      self.place = place
    }
  }

  /// A step of a lane, or a way from one value to another.
  public struct Turn: Sendable, Equatable {
    /// Where it starts; nil for where the value is by then.
    public var from: Text?
    /// Where it ends.
    public var to: Text
    /// When; empty for a step.
    public var range: Range<MediaTime>
    /// The way between the values.
    public var curve: Automation.Curve
    /// Where it is written.
    public var place: Place

    /// A step, or a way over a range of time.
    public init(
      from: Text? = nil, to: Text, in range: Range<MediaTime>, curve: Automation.Curve = .linear,
      place: Place = .start
    ) {
      self.from = from
      self.to = to
      self.range = range
      self.curve = curve
      self.place = place
    }
  }

  /// Something that happens to a track's sound at a time.
  public struct Move: Sendable, Equatable {
    /// What is moved.
    public enum Kind: Sendable, Equatable {
      /// The volume, from one value to another over a range that may be empty: then it is set.
      case volume(from: Float?, to: Float)
      /// The pan likewise, by a law; nil for the usual one, or that of another move.
      case pan(from: Float?, to: Float, law: PanLaw?)
      /// What the volume is multiplied by besides, to make room for others.
      case ducked(from: Float?, to: Float)
      /// The volume, to make room for another track of the timeline.
      case ducking(under: Text, Ducking)
    }

    /// What is moved, and where to.
    public var kind: Kind
    /// When. Of no meaning for ducking, which follows the other track.
    public var range: Range<MediaTime>
    /// The way between the values.
    public var curve: Automation.Curve
    /// Where it is written.
    public var place: Place

    /// Something that happens at a time.
    public init(
      _ kind: Kind, in range: Range<MediaTime> = .zero..<(.zero), curve: Automation.Curve = .linear,
      place: Place = .start
    ) {
      self.kind = kind
      self.range = range
      self.curve = curve
      self.place = place
    }
  }
}
