// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

public import Swiftlet

extension Manifest {
  /// A point where one listens in, to meter or to record.
  public struct Tap: Sendable, Equatable {
    /// Whether what goes into a node is heard or what comes out; of a wire, what comes to its fader or what leaves it.
    public enum Side: String, Sendable, CaseIterable {
      /// What goes in.
      case before
      /// What comes out.
      case after
    }
    /// What is listened to.
    public enum Point: Sendable, Equatable {
      /// A node's bus.
      case node(End)
      /// A wire or a send, which into a mixer is a strip.
      case wire(from: End, to: End)
    }

    /// What it is called: lower-case words joined by hyphens.
    public var name: String
    /// Which side it listens on.
    public var side: Side
    /// The node or the wire.
    public var point: Point
    /// How it records; nil for a tap that only meters.
    public var recording: Recording?
    /// Where it is written.
    public var place: Place

    /// A tap at a point.
    public init(
      _ name: String, _ side: Side, _ point: Point, recording: Recording? = nil, place: Place = .start
    ) {
      self.name = name
      self.side = side
      self.point = point
      self.recording = recording
      self.place = place
    }
  }

  /// How a tap records.
  public struct Recording: Sendable, Equatable {
    /// The file's name, relative to where takes go. Its extension says what kind of file it is, and it may
    /// hold `{tap} {take} {name} {date} {time}`.
    public var file: Text
    /// How a sample is stored; nil for the best that the kind of file has.
    public var format: SampleFormat?
    /// Frames a second in the file; nil for those of the engine.
    public var rate: Int?
    /// How much a lossy codec may leave out; nil for what few ears can tell.
    public var quality: CodingQuality?
    /// The playback node that the performer hears the others through; nil where the take stays as it comes in.
    public var output: Text?
    /// When it begins.
    public var start: Start
    /// Whether a file that is there may be lost.
    public var overwrites: Bool

    /// A recording that differs from the defaults only in what is said.
    public init(
      _ file: Text, format: SampleFormat? = nil, rate: Int? = nil, quality: CodingQuality? = nil,
      output: Text? = nil, start: Start = .now, overwrites: Bool = false
    ) {
      self.file = file
      self.format = format
      self.rate = rate
      self.quality = quality
      self.output = output
      self.start = start
      self.overwrites = overwrites
    }
  }

  /// How a sample is stored in a file.
  public typealias SampleFormat = SampleEncoding

  /// When a tap begins to record.
  public enum Start: String, Sendable, CaseIterable {
    /// With the first sound.
    case now
    /// When it is told to.
    case armed
  }
}
