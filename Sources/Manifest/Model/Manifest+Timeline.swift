// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

public import Swiftlet

extension Manifest {
  /// The source of the timeline's time.
  public enum TransportChoice: String, CaseIterable, Sendable {
    /// The engine's own time.
    case own
    /// The time of the JACK transport.
    case follow
    /// The time of the JACK transport, with this client as the timebase source for bars, beats and tempo.
    case lead
  }

  /// The start of the timeline.
  public enum TimelineStart: String, CaseIterable, Sendable {
    /// With the first sound.
    case now
    /// When the user starts it.
    case paused
  }

  /// A track of the timeline: clips and their mix. It is also a node, with the track's name.
  public struct Track: Sendable, Equatable {
    /// The clips, in the order of the text.
    public var clips: [Clip]
    /// The automation of level and pan.
    public var mix: [MixSegment]
    /// Whether the track is audible.
    public var isEnabled: Bool
    /// A linear gain factor in addition to the mix, from 0.
    public var volume: Float
    /// The length of the glide that smooths steps of the mix; nil for that of the timeline.
    public var declick: MediaTime?

    /// Creates a track. By default it is enabled, with a volume of 1 and without automation.
    public init(_ clips: [Clip], mix: [MixSegment] = [], isEnabled: Bool = true, volume: Float = 1) {
      self.clips = clips
      self.mix = mix
      self.isEnabled = isEnabled
      self.volume = volume
    }
  }

  /// A clip: a range of a sound file at a position in a track, or of a movie at a position in the video.
  public struct Clip: Sendable, Equatable {
    /// The file's path, relative to the manifest.
    public var file: Text
    /// The start of the range in the file.
    public var from: MediaTime
    /// The end of the range in the file; nil for the file's end.
    public var to: MediaTime?
    /// The start on the timeline; nil for the end of the preceding clip.
    public var at: MediaTime?
    /// The duration on the timeline; nil for the duration of the range, or up to ``until``.
    public var lasts: MediaTime?
    /// The end on the timeline, instead of ``lasts``; nil if not set.
    public var until: MediaTime?
    /// Whether a change of duration keeps the pitch. It has no meaning for video clips.
    public var keepsPitch: Bool
    /// The position in the text.
    public var position: TextPosition

    /// Creates a clip. By default it plays the whole file after the preceding clip.
    public init(
      _ file: Text, from: MediaTime = .zero, to: MediaTime? = nil, at: MediaTime? = nil,
      lasts: MediaTime? = nil, until: MediaTime? = nil,
      keepsPitch: Bool = true, position: TextPosition = .start
    ) {
      self.file = file
      self.from = from
      self.to = to
      self.at = at
      self.lasts = lasts
      self.until = until
      self.keepsPitch = keepsPitch
      self.position = position
    }
  }

  /// An automation lane.
  public struct Lane: Sendable, Equatable {
    /// The target of a lane.
    public enum Target: Sendable, Equatable {
      /// A parameter, the volume or the pan of a node.
      case node(Text, parameter: String)
      /// The volume or the pan of a wire, given by its ends.
      case wire(from: End, to: End, value: String)
    }

    /// The automated value.
    public var target: Target
    /// The steps and ramps.
    public var segments: [LaneSegment]
    /// The position in the text.
    public var position: TextPosition

    /// Creates a lane.
    public init(_ target: Target, _ segments: [LaneSegment], position: TextPosition = .start) {
      self.target = target
      self.segments = segments
      self.position = position
    }
  }

  /// A step or ramp of a lane.
  public struct LaneSegment: Sendable, Equatable {
    /// The start value; nil for the value at that time.
    public var from: Text?
    /// The end value.
    public var to: Text
    /// The time range; empty for a step.
    public var range: Range<MediaTime>
    /// The curve of the ramp.
    public var curve: Automation.Curve
    /// The position in the text.
    public var position: TextPosition

    /// Creates a step, or a ramp over a time range.
    public init(
      from: Text? = nil, to: Text, in range: Range<MediaTime>, curve: Automation.Curve = .linear,
      position: TextPosition = .start
    ) {
      self.from = from
      self.to = to
      self.range = range
      self.curve = curve
      self.position = position
    }
  }

  /// A step or ramp in the mix of a track or the master.
  public struct MixSegment: Sendable, Equatable {
    /// The automated value, with its start and end.
    public enum Kind: Sendable, Equatable {
      /// The volume, as a linear factor. `from` is nil for the current value. An empty time range sets the value.
      case volume(from: Float?, to: Float)
      /// The pan, from −1 (left) to 1 (right), with a pan law; nil for the law of another move, or the default.
      case pan(from: Float?, to: Float, law: PanLaw?)
      /// A linear gain factor for ducking, in addition to the volume.
      case ducked(from: Float?, to: Float)
      /// Ducking under another track of the timeline.
      case ducking(under: Text, Ducking)
    }

    /// The automated value, with its start and end.
    public var kind: Kind
    /// The time range. It has no meaning for ducking under a track, which follows that track.
    public var range: Range<MediaTime>
    /// The curve of the ramp.
    public var curve: Automation.Curve
    /// The position in the text.
    public var position: TextPosition

    /// Creates a step or ramp.
    public init(
      _ kind: Kind, in range: Range<MediaTime> = .zero..<(.zero), curve: Automation.Curve = .linear,
      position: TextPosition = .start
    ) {
      self.kind = kind
      self.range = range
      self.curve = curve
      self.position = position
    }
  }
}
