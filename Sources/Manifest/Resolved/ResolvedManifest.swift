// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

public import Swiftlet
public import SwiftletGraph
package import SwiftletLV2

/// A checked manifest in which all names are resolved: plain data from which an engine is set up.
///
/// Nodes are given by their index in ``nodes``, buses and channels by number from 0, parameters by their number in
/// events, values in the parameter's unit. Relative paths are relative to the current directory.
public struct ResolvedManifest: Sendable, Equatable {
  /// The name of the JACK client.
  public var name: String
  /// The block length for rendering without a server, in frames; nil for the default.
  package var blockLength: Int?
  /// The session's category and its behaviour beside other sessions; nil for none.
  public var session: AudioSession?
  /// The tempo map of the timeline; nil for none.
  public var tempo: TempoMap?
  /// The nodes, in the order of the manifest.
  public var nodes: [Node]
  /// The wires, in the order of the manifest, each followed by its sends.
  public var wires: [Wire]
  /// The taps, in the order of the manifest.
  public var taps: [Tap]
  /// The video, for exported files that support it.
  public var video = VideoTrack()
  /// The source of the timeline's time.
  public var transport = TransportRole.own
  /// The automation lanes, in the order of the manifest.
  public var lanes: [Lane] = []
  /// The automation of the master, which applies to all playback nodes.
  public var master = TrackMix()
  /// The warnings, in the order of the text.
  public var warnings: [Problem]

  /// A node with resolved kind, buses and values.
  public struct Node: Sendable, Equatable {
    /// The node's name.
    public var name: String
    /// The node's kind.
    public var kind: Kind
    /// The inputs, main bus first.
    public var inputs: [Bus]
    /// The outputs, main bus first.
    public var outputs: [Bus]
    /// The initial values, set after the preset, in the order of the manifest.
    public var values: [Value] = []
    /// The number of bands; 0 without bands.
    public var bandCount = 0
    /// The `id` of the initial preset, loaded before the values.
    public var preset: String?
    /// The files of an effect: paths by the effect's names for them.
    public var files: [String: String] = [:]
    /// The folder of a plugin's initial state, loaded before the preset.
    package var state: String?
    /// The effect of a MIDI program change at a plugin's input.
    package var programChange = ProgramChangeUse.plugin
    /// The isolation of a plugin in another process; nil for none.
    package var isolation: PluginIsolation?
    /// Whether an isolated plugin shares its process with no other plugin.
    package var isAlone = false
    /// The initial values of a plugin's properties, in the order of the manifest.
    package var properties: [PropertySetting] = []
    /// Whether the node is bypassed.
    public var isBypassed = false
    /// The speed and pitch. Players only.
    public var stretch = Stretch()
    /// The stretch algorithm; nil for the default.
    public var algorithm: StretchAlgorithm?
    /// The gain in dB. Mixers and players only.
    public var gain = 0.0
    /// The limit of the true peak in dBFS; nil for no limit. Playback nodes only.
    public var ceiling: Double?
    /// The JACK ports that the node is connected to; nil for the default.
    public var connection: Manifest.Connection?
    /// The position in the text.
    public var position: TextPosition

    /// Changes the initial value of a parameter.
    ///
    /// - Parameters:
    ///   - parameter: The parameter's number in events.
    ///   - value: The value in the parameter's unit, within its range.
    public mutating func set(_ parameter: Int, to value: Float) {
      values.removeAll { $0.parameter == parameter }
      values.append(ResolvedManifest.Value(parameter: parameter, value: value))
    }

    /// Changes the initial value of a plugin's property.
    package mutating func set(property number: Int, to value: PropertyValue) {
      properties.removeAll { $0.number == number }
      properties.append(ResolvedManifest.PropertySetting(number: number, value: value))
    }
  }

  /// The kind of a node.
  public enum Kind: Sendable, Equatable {
    /// An audio input node.
    case capture
    /// An audio output node.
    case playback
    /// A MIDI input node.
    case midiIn
    /// A MIDI output node.
    case midiOut
    /// A built-in effect.
    case effect(ProcessorInfo)
    /// An LV2 plugin.
    case plugin(ProcessorInfo)
    /// A mixer, which adds up its inputs.
    case mixer
    /// A player of the file at a path.
    case player(path: String, loop: Loops)
    /// A track of the timeline with its mix.
    case track(Track, mix: TrackMix)
  }

  /// A bus with its symbol and format.
  public struct Bus: Sendable, Equatable {
    /// The symbol in manifests.
    public var symbol: String
    /// The number of channels, or events.
    public var format: BusFormat
  }

  /// A parameter's value.
  public struct Value: Sendable, Equatable {
    /// The parameter's number in events.
    public var parameter: Int
    /// The value in the parameter's unit, within its range.
    public var value: Float
  }

  /// The value of a plugin's property: a file, a text, a number of more than 24 bits, or a vector.
  package struct PropertySetting: Sendable, Equatable {
    /// The property's number among the plugin's parameters.
    package var number: Int
    package var value: PropertyValue
  }

  /// A wire between existing buses with the same kind of content.
  public struct Wire: Sendable, Equatable {
    /// The source: an output bus.
    public var from: End
    /// The destination: an input bus.
    public var to: End
    /// For a send, the destination of its channel strip; nil for all other wires.
    public var strip: End?
    /// The fader gain in dB.
    public var gain: Double
    /// The gain before the fader and all sends, in dB.
    public var trim = 0.0
    /// The pan, from −1 (left) to 1 (right); nil for no pan.
    public var pan: Double?
    /// The pan law.
    public var panLaw = PanLaw.usual
    /// Whether the polarity is inverted.
    public var isInverted = false
    /// Whether the wire is muted.
    public var isMuted = false
    /// Whether the wire is soloed, which silences the other wires that are mixed with it.
    public var isSolo = false
    /// Whether the wire stays audible while others are soloed.
    public var isSoloSafe = false
    /// For a send, whether it is taken before the fader.
    public var isPreFader = false
    /// The delay of a feedback wire in frames; nil for all other wires.
    public var feedback: Int?
  }

  /// One end of a wire.
  public struct End: Sendable, Hashable {
    /// The node's index in the manifest's nodes.
    public var node: Int
    /// The bus's index in the node's inputs or outputs.
    public var bus: Int
    /// The channel, counted from 0; nil for all.
    public var channel: Int?
  }

  /// An automation lane.
  public struct Lane: Sendable, Equatable {
    /// The target of a lane.
    public enum Target: Sendable, Equatable, Hashable {
      /// A parameter of a node, given by its symbol, or the node's `volume` or `pan`.
      case node(Int, parameter: String)
      /// The volume or the pan of a wire, given by its index in the manifest's wires.
      case wire(Int, Swiftlet.Wire.Parameter)
    }

    /// A step or ramp.
    public struct LaneSegment: Sendable, Equatable {
      /// The start value; nil for the value at that time.
      public var from: Float?
      /// The end value in the parameter's unit.
      public var to: Float
      /// The time range; empty for a step.
      public var range: Range<MediaTime>
      /// The curve of the ramp.
      public var curve: Automation.Curve
    }

    /// The automated value.
    public var target: Target
    /// The steps and ramps, in the order of the manifest.
    public var segments: [LaneSegment]

    /// Returns the lane as an automation whose value is `initial` before the first entry.
    public func automation(from initial: Float) throws(AutomationError) -> Automation {
      var automation = Automation(initial)
      for segment in segments {
        try automation.add(segment.from, segment.to, in: segment.range, segment.curve)
      }
      return automation
    }
  }

  /// A tap on an audio bus or wire.
  public struct Tap: Sendable, Equatable {
    /// The point of a tap.
    public enum Point: Sendable, Equatable {
      /// A node, given by its index, and the index of a bus in the node's inputs or outputs.
      case node(Int, bus: Int)
      /// A wire, given by its index.
      case wire(Int)
    }
    /// The tap's name.
    public var name: String
    /// The side of the point.
    public var side: Manifest.Tap.Side
    /// The point.
    public var point: Point
    /// The number of channels.
    public var channelCount: Int
    /// The recording; nil for a tap that only meters.
    public var recording: Manifest.Recording?
  }
}
