// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import SwiftletDisk
public import SwiftletFiles
internal import SwiftletGraph
internal import Synchronization

extension Recorder {
  /// The sound of a node, and the file that it is recorded to: a path or a `file:` URL.
  public enum Source: Sendable {
    /// The sound of the node's first output bus.
    case after(AudioNode, to: any FileLocation, options: Options = Options())
    /// The sound that is mixed into the node's first input bus.
    case before(AudioNode, to: any FileLocation, options: Options = Options())

    fileprivate var parts: (node: AudioNode, side: Graph.Tap.Side, file: any FileLocation, options: Options) {
      switch self {
      case .after(let node, let file, let options): (node, .after, file, options)
      case .before(let node, let file, let options): (node, .before, file, options)
      }
    }
  }
}

extension AudioEngine {
  /// Records the sound of nodes to files from now on, all from the same instant of their sources.
  ///
  /// ```swift
  /// let take = try engine.record([.after(engine.mainInput, to: "dry.wav"), .after(echo, to: "wet.flac")])
  /// …
  /// let reports = take.finish()
  /// ```
  ///
  /// - Parameter sources: the nodes and the files. Paths and URLs may contain the tokens of
  ///   ``Recorder/add(_:on:bus:side:file:options:)``; if a file exists, the take gets a number before its extension.
  ///   The name of a tap is that of its file, without the extension.
  /// - Returns: the recorder of the takes.
  /// - Throws: ``EngineError/graph(_:)``, ``EngineError/duplicateTap(_:)``, ``EngineError/file(_:)`` for a format or
  ///   file that cannot be made. If it throws, nothing is recorded.
  public func record(_ sources: [Recorder.Source]) throws(EngineError) -> Recorder {
    let recorder = Recorder(self)
    do throws(EngineError) {
      for (node, side, file, options) in sources.map(\.parts) {
        let path = try file.enginePath
        let name = FilePath.ending(of: FilePath.name(of: path)).stem
        try recorder.add(
          recorder.taps.contains(name) ? path : name, on: node, side: side, file: path, options: options)
      }
      try recorder.start()
    } catch {
      for track in recorder.tracks.withLock({ $0 }) { track.meter.remove() }
      throw error
    }
    return recorder
  }
}
