// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

public import Swiftlet
package import SwiftletLV2

/// A manifest: nodes, wires between them, and taps.
///
/// It is a value that contains what the text contains. Names are checked against what is installed by
/// ``check(against:file:directory:)``. Two manifests with the same content are equal, whatever their positions in the
/// text.
public struct Manifest: Sendable, Equatable {
  /// The version of the manifest language that this program reads.
  public static let version = 1
  /// The range of the block length for rendering without a server, in frames.
  package static let blockLengths = 1...65_536

  /// The name of the JACK client; nil for the file's stem.
  public var name: String?
  /// The block length for rendering without a server, in frames; nil for the default.
  package var blockLength: Int?
  /// The default isolation of plugins.
  package var isolation = Isolation.none
  /// The session's category and its behaviour beside other sessions; nil for none.
  public var session: AudioSession?
  /// The tempo map with tempos and time signatures; nil for none.
  public var tempo: TempoMap?
  /// The source of the timeline's time.
  public var transport = TransportChoice.own
  /// The range of the timeline that repeats; nil for no loop.
  public var loop: Range<MediaTime>?
  /// The start of the timeline.
  public var start = TimelineStart.now
  /// The video clips, in the order of the text.
  public var video: [Clip] = []
  /// The automation lanes of parameters, volumes and pans, in the order of the text.
  public var lanes: [Lane] = []
  /// The automation of level and pan of the master, which applies to all playback nodes.
  public var master: [MixSegment] = []
  /// The length of the glide that smooths steps of the mixes of tracks and master, unless a track has its own.
  public var declick = MediaTime.zero
  /// The nodes in the order of the text, followed by the tracks of the timeline.
  public var nodes: [Node]
  /// The wires in the order of the text. A chain is split into single wires.
  public var wires: [Wire]
  /// The taps, in the order of the text.
  public var taps: [Tap]

  /// Creates a manifest.
  public init(
    name: String? = nil, session: AudioSession? = nil, tempo: TempoMap? = nil, nodes: [Node] = [],
    wires: [Wire] = [], taps: [Tap] = []
  ) {
    self.name = name
    self.session = session
    self.tempo = tempo
    self.nodes = nodes
    self.wires = wires
    self.taps = taps
  }
}

extension Manifest {
  /// A node: a source, a processor or a destination of sound or events.
  public struct Node: Sendable, Equatable {
    /// The node's name: lower-case words joined by hyphens.
    public var name: String
    /// The node's kind.
    public var kind: Kind
    /// The JACK ports that it is connected to; nil for the default, the next physical ports.
    public var connection: Connection?
    /// The files of an effect.
    public var files: [File]
    /// The folder of a plugin's initial state.
    package var state: Text?
    /// The effect of a MIDI program change; nil for the default.
    package var programChange: ProgramChangeUse?
    /// The isolation of its plugin; nil for the manifest's default.
    package var isolation: Isolation?
    /// The output after its isolated plugin has failed; nil for the default.
    package var onFailure: PluginIsolation.Failure?
    /// The deadline of its isolated plugin for a block, in milliseconds; nil for the default.
    package var deadline: Double?
    /// The initial values of parameters.
    public var settings: [Setting]
    /// The initial preset: a name, a label or a URI.
    public var preset: Text?
    /// Whether the node is bypassed.
    public var isBypassed: Bool
    /// The number of times that a player plays its file.
    public var loop: Loops
    /// The speed and pitch of a player.
    public var stretch: Stretch
    /// The stretch algorithm of a player, or of an effect that has a choice: the raw value of a ``StretchAlgorithm``.
    /// Nil for the default.
    public var algorithm: Text?
    /// The gain in dB; 0 for no change.
    public var gain: Double
    /// The limit of the true peak of a playback node, in dBFS; nil for no limit.
    public var ceiling: Double?
    /// The number of channels; nil to derive it from the wires.
    public var channels: Int?
    /// The position in the text.
    public var position: TextPosition

    /// Creates a node. All parameters but name and kind have defaults.
    public init(
      _ name: String, _ kind: Kind, connection: Connection? = nil, files: [File] = [],
      settings: [Setting] = [],
      preset: Text? = nil, isBypassed: Bool = false, loop: Loops = .once,
      stretch: Stretch = Stretch(), algorithm: Text? = nil, gain: Double = 0,
      ceiling: Double? = nil, channels: Int? = nil,
      position: TextPosition = .start
    ) {
      self.name = name
      self.kind = kind
      self.connection = connection
      self.files = files
      self.settings = settings
      self.preset = preset
      self.isBypassed = isBypassed
      self.loop = loop
      self.stretch = stretch
      self.algorithm = algorithm
      self.gain = gain
      self.ceiling = ceiling
      self.channels = channels
      self.position = position
    }
  }

  /// The kind of a node.
  public enum Kind: Sendable, Equatable {
    /// An audio input node with this number of channels.
    case capture(Int)
    /// An audio output node with this number of channels.
    case playback(Int)
    /// A MIDI input node.
    case midiIn
    /// A MIDI output node.
    case midiOut
    /// A built-in effect, given by its symbol.
    case effect(Text)
    /// An LV2 plugin, given by its URI.
    case lv2(Text)
    /// A mixer with this number of channels. It adds up its inputs.
    case mixer(Int)
    /// A player of a sound file, given by its path relative to the manifest.
    case player(Text)
    /// A track of the timeline.
    case track(Track)
  }

  /// A text with its position in the manifest.
  public struct Text: Sendable, Equatable {
    /// The text.
    public var text: String
    /// The position in the manifest.
    public var position: TextPosition

    /// Creates a text at a position.
    public init(_ text: String, position: TextPosition = .start) {
      self.text = text
      self.position = position
    }
  }

  /// The JACK ports that a node is connected to.
  public enum Connection: Sendable, Equatable {
    /// No ports.
    case nowhere
    /// The physical ports from number `first`, counted from 1, one for each channel.
    case physical(first: Int)
    /// The ports whose full names match a regular expression entirely.
    case pattern(String)
    /// These ports in this order, by full name. A name without a colon stands for all ports of that client.
    case ports([String])
    /// The first of these connections whose ports exist, now and whenever ports change.
    case firstOf([Connection])

    /// The alternatives, best first; the connection itself if there is no choice.
    var alternatives: [Connection] {
      if case .firstOf(let connections) = self { connections.flatMap(\.alternatives) } else { [self] }
    }
  }

  /// The isolation of a plugin in another process.
  package enum Isolation: String, Sendable, CaseIterable {
    /// The plugin runs in the program's own process.
    case none = "false"
    /// The plugin runs in another process, shared with isolated plugins that it is wired to.
    case shared = "true"
    /// The plugin runs in another process alone.
    case alone
  }

  /// A file of an effect.
  public struct File: Sendable, Equatable {
    /// The effect's name for the file.
    public var name: Text
    /// The file's path, relative to the manifest.
    public var path: Text

    /// Creates a file.
    public init(_ name: Text, _ path: Text) {
      self.name = name
      self.path = path
    }
  }

  /// A parameter with a value.
  public struct Setting: Sendable, Equatable {
    /// The symbol of the parameter or of the bands.
    public var parameter: Text
    /// The value.
    public var value: Value

    /// Creates a setting.
    public init(_ parameter: Text, _ value: Value) {
      self.parameter = parameter
      self.value = value
    }
  }

  /// A value as written. The parameter determines its meaning.
  public enum Value: Sendable, Equatable {
    /// A number with or without a unit, a word, `true` or `false`.
    case text(Text)
    /// The settings of each band.
    case bands([Band], position: TextPosition)
    /// A vector.
    case list([Text], position: TextPosition)
  }

  /// The settings of one band.
  public struct Band: Sendable, Equatable {
    /// The parameters of the band with their values.
    public var settings: [Setting]
    /// The position in the text.
    public var position: TextPosition

    /// Creates a band.
    public init(_ settings: [Setting], position: TextPosition = .start) {
      self.settings = settings
      self.position = position
    }
  }
}
