// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import SwiftletFiles
internal import SwiftletGraph
internal import SwiftletLV2
internal import SwiftletPlayback
internal import SwiftletSignal

extension EngineCore {
  /// The engine's record of a node: everything that the graph does not hold.
  struct Record {
    var kind: Kind
    /// The target values of parameters, by their numbers.
    var values: [Int: Float] = [:]
    /// The glides to those values, by the numbers of the parameters; none for a value that was set without a glide.
    var courses: [Int: ParameterTrajectory] = [:]
    /// The gain of a mixer while it is not in the graph; nil while it is, and if none was set.
    var mixerGain: Float?
  }
}

extension EngineCore.Record {
  enum Kind {
    /// An input or output node, with the limiter of an output node that has a ceiling.
    case port(NodePorts, limiter: LoadedEffect?)
    case mixer
    case effect(LoadedEffect)
    case plugin(PluginProcessor, ProcessorInfo, BlockLengthFit)
    /// A player of any kind; the files of one without a schedule, and whether it plays a track of a composition.
    case player(any EnginePlayer, files: [String] = [], isTrack: Bool = false)
    case closure(Processor)
  }

  /// An effect that has been made, with what it was made from.
  struct LoadedEffect {
    let info: ProcessorInfo, processor: Processor
    var bandCount = 0, files: [String] = [], makeHandle = AudioNode.handle
  }

  private var effect: LoadedEffect? {
    switch kind {
    case .effect(let effect): effect
    case .port(_, let limiter): limiter
    case .mixer, .plugin, .player, .closure: nil
    }
  }

  var processor: Processor? {
    switch kind {
    case .port, .effect: effect?.processor
    case .mixer: nil
    case .plugin(let plugin, _, _): plugin
    case .player(let player, _, _): player.processor
    case .closure(let processor): processor
    }
  }

  var info: ProcessorInfo? { if case .plugin(_, let info, _) = kind { info } else { effect?.info } }

  var bandCount: Int { effect?.bandCount ?? 0 }

  var plugin: PluginProcessor? { if case .plugin(let plugin, _, _) = kind { plugin } else { nil } }

  /// How the plugin is fitted to JACK's period.
  var fit: BlockLengthFit {
    get { if case .plugin(_, _, let fit) = kind { fit } else { BlockLengthFit() } }
    set { if case .plugin(let plugin, let info, _) = kind { kind = .plugin(plugin, info, newValue) } }
  }

  /// The player, if the node is one.
  var player: (any EnginePlayer)? {
    if case .player(let player, _, _) = kind { player } else { nil }
  }

  /// The player, if it reads its files as one stream.
  var streamPlayer: StreamPlayer? { player as? StreamPlayer ?? scheduler?.streamPlayer }

  /// Whether the node plays a track of a composition.
  var isTrack: Bool { if case .player(_, _, let isTrack) = kind { isTrack } else { false } }

  /// The source of a MIDI player.
  var score: EventSource? { player as? EventSource }

  /// The schedule of a player that has one.
  var scheduler: (any SchedulePlayer)? { player as? any SchedulePlayer }

  /// The ports of an input or output node.
  var ports: NodePorts? { if case .port(let ports, _) = kind { ports } else { nil } }

  /// The paths of the files that the node plays, will play or was made with.
  var files: [String] {
    switch kind {
    case .effect(let effect): effect.files
    case .player(_, let files, _): scheduler?.paths ?? files
    case .port, .mixer, .plugin, .closure: []
    }
  }

  /// Makes a handle of the node.
  var makeHandle: AudioNode.Maker {
    switch kind {
    case .port(let ports, _): ports.isInput ? InputNode.handle : OutputNode.handle
    case .mixer: MixerNode.handle
    case .effect(let effect): effect.makeHandle
    case .plugin: PluginNode.handle
    case .player(let player, _, _): player.makeHandle
    case .closure: AudioNode.handle
    }
  }
}
