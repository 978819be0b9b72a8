// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

public import SwiftletFiles
internal import SwiftletGraph
public import SwiftletTimeline
internal import Synchronization

// Exports without an engine made by the program, and files that are given by their names only.

extension ExportSession {
  /// Creates an export of a composition and its mix, which an engine of the session's own plays in stereo.
  ///
  /// ```swift
  /// try await ExportSession(song, mix: mix).run(to: ["film.mp4", "mix.flac"])
  /// ```
  ///
  /// - Parameters:
  ///   - composition: the composition; later edits of it have no effect.
  ///   - mix: the mix; default: every track unchanged.
  ///   - sampleRate: the engine's rate in hertz, from 8,000 to 192,000; default: 48,000. A file whose format requires
  ///     another rate is converted.
  /// - Throws: ``ExportError/engine(_:)`` if a sound of the composition cannot be opened, or the rate is out of
  ///   range.
  public convenience init(
    _ composition: Composition, mix: AudioMix = AudioMix(), sampleRate: Double = 48_000
  ) throws(ExportError) {
    let names = Set(composition.tracks.map(\.id.name))
    let free = (1...names.count + 1).map { "output-\($0)" }.first { !names.contains($0) }
    let (engine, output) = try exporting { () throws(EngineError) in
      let engine = try AudioEngine(.offline(sampleRate: sampleRate))
      let output = try engine.attach(.playback(), name: free)
      try engine.attach(composition, mix: mix, to: output)
      return (engine, output)
    }
    try self.init(engine)
    orders.withLock { $0.source = (output, composition.video) }
  }

  /// Exports to files of these names, in formats that their extensions select; a movie has the composition's picture.
  ///
  /// - Parameters:
  ///   - files: the files, each a path or a `file:` URL.
  ///   - overwrites: whether files that exist are replaced; default: false, which makes that an error.
  ///   - tell: called about twenty times a second, on the thread that renders; default: nothing.
  /// - Returns: the files, in the order of the names, after those that were added by ``add(_:)``.
  /// - Throws: ``ExportError``; ``ExportError/manyOutputs(_:)`` for an engine with several output nodes: use
  ///   ``ExportFile``, which names one. Then there are no files.
  @discardableResult
  public func run(
    to files: [any FileLocation], overwriting overwrites: Bool = false,
    _ tell: @escaping @Sendable (ExportSession.Progress) -> Void = { _ in }
  ) async throws(ExportError) -> [ExportFile.Report] {
    let (output, video) = try source()
    let paths = try files.map { file throws(ExportError) in try file.exportPath }
    for path in paths {
      let isMovie = MovieContainer(path: path) != nil && !video.isEmpty
      try add(
        isMovie
          ? ExportFile(path, video: video, of: output, overwrites: overwrites)
          : ExportFile(path, of: output, overwrites: overwrites))
    }
    return try await runOnThread(tell)
  }

  /// The node and the picture of files that are given by their names only.
  private func source() throws(ExportError) -> (AudioNode, VideoTrack) {
    if let source = orders.withLock({ $0.source }) { return source }
    let graph = engine.graph
    let outputs = engine.nodes.filter { node in
      guard case .output = graph.node(node.id)?.role, case .audio = graph.node(node.id)?.inputs.first else {
        return false
      }
      return true
    }
    guard let output = outputs.first, outputs.count == 1 else { throw .manyOutputs(outputs.map(\.name)) }
    return (output, VideoTrack())
  }
}
