// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

public import Swiftlet

extension Manifest {
  /// A tap: a point in the graph whose sound is metered or recorded.
  public struct Tap: Sendable, Equatable {
    /// The side of a node or wire that a tap records.
    public enum Side: String, Sendable, CaseIterable {
      /// A node's input, or a wire before its fader.
      case before
      /// A node's output, or a wire after its fader.
      case after
    }
    /// The point of a tap.
    public enum Point: Sendable, Equatable {
      /// A bus of a node.
      case node(End)
      /// A wire or a send. A wire into a mixer is a channel strip.
      case wire(from: End, to: End)
    }

    /// The tap's name: lower-case words joined by hyphens.
    public var name: String
    /// The side of the point.
    public var side: Side
    /// The node or wire.
    public var point: Point
    /// The recording; nil for a tap that only meters.
    public var recording: Recording?
    /// The position in the text.
    public var position: TextPosition

    /// Creates a tap.
    public init(
      _ name: String, _ side: Side, _ point: Point, recording: Recording? = nil,
      position: TextPosition = .start
    ) {
      self.name = name
      self.side = side
      self.point = point
      self.recording = recording
      self.position = position
    }
  }

  /// The settings of a tap's recording.
  public struct Recording: Sendable, Equatable {
    /// The file's name, relative to the takes folder. Its extension selects the format. It may contain
    /// `{tap} {take} {name} {date} {time}`.
    public var file: Text
    /// The sample format; nil for the best one of the file format.
    public var format: SampleFormat?
    /// The sample rate of the file in Hz; nil for the engine's.
    public var rate: Int?
    /// The quality of a lossy codec; nil for a default with hardly audible losses.
    public var quality: CodingQuality?
    /// The playback node through which performers hear the other sounds: the take is moved earlier by the latency of
    /// playback and capture that JACK reports. Nil for no shift.
    public var output: Text?
    /// The start of the recording.
    public var start: Start
    /// Whether an existing file may be overwritten.
    public var overwrites: Bool

    /// Creates a recording. All parameters but the file have defaults.
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

  /// The sample format of a file.
  public typealias SampleFormat = SampleEncoding

  /// The start of a tap's recording.
  public enum Start: String, Sendable, CaseIterable {
    /// With the first sound.
    case now
    /// On request.
    case armed
  }
}
