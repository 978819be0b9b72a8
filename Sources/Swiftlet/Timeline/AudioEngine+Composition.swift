// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import SwiftletGraph
public import SwiftletTimeline
internal import Synchronization

extension AudioEngine {
  /// Plays a composition with a node for each track, which has the track's name and is connected to `output`, as one
  /// edit.
  ///
  /// ```swift
  /// try engine.attach(song, mix: mix, to: output)
  /// ```
  ///
  /// - Parameters:
  ///   - composition: the composition, as it is now; its picture is not used.
  ///   - mix: the automation of tracks, output and parameters; existing lanes stay. Default: none.
  ///   - output: the node that all tracks are connected to; the mix's ``AudioMix/master`` applies to it.
  /// - Returns: the tracks' nodes, in their order.
  /// - Throws: ``EngineError/graph(_:)``, ``EngineError/file(_:)`` for a sound that cannot be opened,
  ///   ``EngineError/notAttached(_:)`` for an output of another engine, and the errors of ``apply(_:master:)``. If it
  ///   throws, nothing has changed.
  @discardableResult public func attach(
    _ composition: Composition, mix: AudioMix = AudioMix(), to output: AudioNode
  ) throws(EngineError) -> [AudioNode] {
    try use([output])
    return try edit { edit in
      var nodes: [AudioNode] = []
      for track in composition.tracks {
        let node = try edit.attach(.track(track, mix: mix.declicked(mix[track.id])), name: track.id.name)
        try edit.connect(node, to: output)
        nodes.append(node)
      }
      try edit.changeLanes { graph, parameters throws(EngineError) in
        let clamped = try graph.automate(mix.lanes, parameters)
        guard mix.master != TrackMix(), let master = graph.node(output.id) else { return clamped }
        return try clamped + graph.follow(mix.declicked(mix.master), master)
      }
      return nodes
    }
  }
}
