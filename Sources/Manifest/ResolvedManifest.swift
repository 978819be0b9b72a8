// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

public import Swiftlet
public import SwiftletGraph
package import SwiftletLV2

/// A manifest in which every name has been found: plain data that an engine is made from.
///
/// Nodes are known by their place in ``nodes``, buses and channels by number from 0, parameters by their
/// number in events, values in the parameter's own unit.
public struct ResolvedManifest: Sendable, Equatable {
  /// The name of the JACK client.
  public var name: String
  /// The frames of a block that is rendered without a server; nil if the manifest does not say.
  package var blockLength: Int?
  /// What it is for, and how it lives with others; nil where nothing is said.
  public var session: AudioSession?
  /// How bars and beats lie in time, where the timeline says so.
  public var tempo: TempoMap?
  /// The nodes, in the order of the manifest.
  public var nodes: [Node]
  /// The wires, in the order of the manifest, each followed by its sends.
  public var wires: [Wire]
  /// The taps, in the order of the manifest.
  public var taps: [Tap]
  /// The picture, for files that can hold one; paths can be opened from here.
  public var video = VideoTrack()
  /// Whose time the timeline is.
  public var transport = TransportRole.own
  /// How values move over time, in the order of the manifest.
  public var lanes: [Lane] = []
  /// How all that is played moves.
  public var master = TrackMix()
  /// What is doubtful and no error, in the order of the text.
  public var warnings: [Problem]

  /// A node whose kind, buses and values are known.
  public struct Node: Sendable, Equatable {
    /// Its name.
    public var name: String
    /// What it is.
    public var kind: Kind
    /// What comes in, main bus first.
    public var inputs: [Bus]
    /// What goes out, main bus first.
    public var outputs: [Bus]
    /// The values it starts with, in the order of the manifest, after its preset.
    public var values: [Value] = []
    /// How many bands it has; 0 for one without.
    public var bandCount = 0
    /// The `id` of the preset it starts with, before its values.
    public var preset: String?
    /// The files it is made with: paths that can be opened from here, by the effect's names for them.
    public var files: [String: String] = [:]
    /// The folder of the state that its plugin starts with, before its preset: a path that can be opened from here.
    package var state: String?
    /// What a MIDI program change at its plugin's input does.
    package var programChange = ProgramChangeUse.plugin
    /// How its plugin runs in another process; nil for one that does not.
    package var isolation: PluginIsolation?
    /// Whether it shares that process with no other plugin.
    package var isAlone = false
    /// The properties of its plugin that are set, in the order of the manifest: paths can be opened from here.
    package var properties: [PropertySetting] = []
    /// Whether sound passes it by.
    public var isBypassed = false
    /// How fast and how high it plays. Players only.
    public var stretch = Stretch()
    /// What changes speed and pitch; nil for the usual engine.
    public var engine: StretchEngine?
    /// How much louder it is made, in decibels. Mixers and players only.
    public var gain = 0.0
    /// The true peak that it never passes, in dBFS. Ways out only; nil for no limit.
    public var ceiling: Double?
    /// Which ports of the outside world it is connected to; nil where nothing is said.
    public var connection: Manifest.Connection?
    /// Where it is written.
    public var place: Place
  }

  /// What a node is.
  public enum Kind: Sendable, Equatable {
    /// A way in for sound.
    case capture
    /// A way out for sound.
    case playback
    /// A way in for MIDI.
    case midiIn
    /// A way out for MIDI.
    case midiOut
    /// A built-in effect.
    case effect(ProcessorInfo)
    /// An LV2 plugin.
    case plugin(ProcessorInfo)
    /// Adds up what comes in.
    case mixer
    /// Plays the file at a path that can be opened from here.
    case player(path: String, loop: Loops)
    /// Plays a track of the timeline, with what a mix says of it; paths can be opened from here.
    case track(Track, mix: TrackMix)
  }

  /// A bus by its name, and what it carries.
  public struct Bus: Sendable, Equatable {
    /// Its name in manifests.
    public var symbol: String
    /// How many channels, or events.
    public var format: BusFormat
  }

  /// A parameter's value.
  public struct Value: Sendable, Equatable {
    /// The parameter's number in events.
    public var parameter: Int
    /// The value in the parameter's unit, within its range.
    public var value: Float
  }

  /// A value of a plugin's property: a file, a text, a number of more than 24 bits, or a vector.
  package struct PropertySetting: Sendable, Equatable {
    /// The property's number among the plugin's parameters.
    package var number: Int
    package var value: PropertyValue
  }

  /// A wire between buses that exist and fit.
  public struct Wire: Sendable, Equatable {
    /// Where it comes from: an output bus.
    public var from: End
    /// Where it leads: an input bus.
    public var to: End
    /// Of a send, where the strip leads whose sound it carries; nil for all other wires.
    public var strip: End?
    /// How much louder it makes the sound, in decibels: its fader.
    public var gain: Double
    /// How much louder the sound is before the fader and all sends, in decibels.
    public var trim = 0.0
    /// Where in the stereo field it puts the sound, from -1 to 1; nil leaves it where it is.
    public var pan: Double?
    /// How both sides share what is panned.
    public var panLaw = PanLaw.usual
    /// Whether the wave is turned over.
    public var isInverted = false
    /// Whether nothing passes.
    public var isMuted = false
    /// Whether all that its sound is mixed with on its way is silent.
    public var isSolo = false
    /// Whether it is heard while others are soloed.
    public var isSoloSafe = false
    /// Of a send, whether it leaves before the fader.
    public var isPreFader = false
    /// How late it is, in frames, if it leads back into what feeds it; nil where it does not.
    public var feedback: Int?
  }

  /// One end of a wire.
  public struct End: Sendable, Hashable {
    /// The node's place in the manifest's nodes.
    public var node: Int
    /// The bus's place among the node's inputs or outputs.
    public var bus: Int
    /// One channel, from 0; nil for all.
    public var channel: Int?
  }

  /// How one value moves.
  public struct Lane: Sendable, Equatable {
    /// What moves.
    public enum Target: Sendable, Equatable, Hashable {
      /// A parameter of a node by its symbol, or its `volume` or `pan`.
      case node(Int, parameter: String)
      /// The volume or the pan of a wire, by the wire's place in the manifest's wires.
      case wire(Int, Swiftlet.Wire.Parameter)
    }

    /// A step, or a way from one value to another.
    public struct Turn: Sendable, Equatable {
      /// Where it starts; nil for where the value is by then.
      public var from: Float?
      /// Where it ends, in the parameter's own unit.
      public var to: Float
      /// When; empty for a step.
      public var range: Range<MediaTime>
      /// The way between the values.
      public var curve: Automation.Curve
    }

    /// What moves.
    public var target: Target
    /// Where it goes, in the order of the manifest.
    public var turns: [Turn]

    /// The lane of a value that is `initial` before anything is said.
    public func automation(from initial: Float) throws(AutomationError) -> Automation {
      var automation = Automation(initial)
      for turn in turns { try automation.add(turn.from, turn.to, in: turn.range, turn.curve) }
      return automation
    }
  }

  /// A tap on a bus or a wire of sound.
  public struct Tap: Sendable, Equatable {
    /// What is listened to.
    public enum Point: Sendable, Equatable {
      /// A node, by its place among the nodes, and a bus, by its place among the node's inputs or outputs.
      case node(Int, bus: Int)
      /// A wire, by its place among the wires.
      case wire(Int)
    }
    /// Its name.
    public var name: String
    /// Which side it listens on.
    public var side: Manifest.Tap.Side
    /// What it listens to.
    public var point: Point
    /// How many channels it hears.
    public var channelCount: Int
    /// How it records; nil for a tap that only meters.
    public var recording: Manifest.Recording?
  }
}
