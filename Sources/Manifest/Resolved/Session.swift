// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

public import Swiftlet
internal import SwiftletFiles

/// A running form of a manifest: an engine with its nodes, wires, taps and takes.
///
/// It is created from a checked manifest. Creation can fail only for reasons outside the manifest, such as a plugin
/// that does not start, or a server that refuses a port.
public final class Session: Sendable {
  /// The options that change a session from its manifest.
  public struct Options: Sendable {
    /// The folder of takes; default: the current directory.
    public var takesFolder = "."
    /// Whether the manifest may record outside ``takesFolder``: by an absolute path, by `..`, or by a symbolic link.
    /// Default: false.
    public var allowsTakesOutside = false
    /// Whether takes are recorded; default: true.
    public var records = true
    /// Whether the levels of playback nodes are metered; default: true.
    public var watchesOutputs = true
    /// Whether ports are connected as the manifest describes; default: true. If false, they stay unconnected.
    public var connects = true
    /// The period of JACK, in frames, that an offline session simulates: see ``AudioEngine``.
    package var simulatedPeriod: Int?

    /// Creates the default options.
    public init() {}
  }

  /// The meter of a tap or a playback node.
  public struct Level: Sendable {
    /// The tap's or the node's name.
    public let name: String
    /// Whether it belongs to a tap that records.
    public let isTake: Bool
    /// The meter.
    public let meter: Meter
  }

  /// The engine.
  public let engine: AudioEngine
  /// The recorder.
  public let recorder: Recorder
  /// The manifest.
  public let manifest: ResolvedManifest
  /// The nodes, in the order of the manifest.
  public let nodes: [AudioNode]
  /// The meters of taps, followed by those of playback nodes.
  public let levels: [Level]

  /// Creates everything in the manifest as a client of a JACK server. The engine is not started.
  ///
  /// - Parameters:
  ///   - manifest: The checked manifest.
  ///   - client: The client's name; default: the manifest's name.
  ///   - server: The server's name; default: `JACK_DEFAULT_SERVER`, otherwise JACK's default server.
  ///   - options: The options.
  /// - Throws: ``EngineError``.
  public convenience init(
    _ manifest: ResolvedManifest, client: String? = nil, server: String? = nil, _ options: Options = Options()
  ) throws(EngineError) {
    try self.init(manifest, on: .jack(name: client ?? manifest.name, server: server), options)
  }

  /// Creates everything in the manifest for rendering without a server. The engine is not started. A timeline that
  /// starts paused starts with the first block.
  ///
  /// - Parameters:
  ///   - manifest: The checked manifest.
  ///   - sampleRate: The sample rate in Hz, from 1,000 to 1,536,000; default: 48,000.
  ///   - options: The options.
  /// - Throws: ``EngineError``.
  public static func offline(
    _ manifest: ResolvedManifest, sampleRate: Double = 48_000, _ options: Options = Options()
  ) throws(EngineError) -> Session {
    try Session(manifest, on: .offline(sampleRate: sampleRate), options)
  }

  /// Creates everything in the manifest. The engine is not started.
  package init(
    _ manifest: ResolvedManifest, on backend: AudioEngine.Backend, _ options: Options = Options()
  ) throws(EngineError) {
    engine = try AudioEngine(backend, simulatedPeriod: options.simulatedPeriod)
    if options.records, !options.allowsTakesOutside,
      let outside = manifest.takesOutside(file: manifest.name).first
    {
      throw .file(FileError(.unwritable, outside.file, outside.message))
    }
    recorder = Recorder(engine, folder: options.takesFolder, name: manifest.name)
    self.manifest = manifest
    // Without a session in the manifest, the default one mixes with others and follows their requests.
    if manifest.session == nil { try engine.setSession(AudioSession()) }
    let nodes = try manifest.attach(to: engine, connects: options.connects)
    self.nodes = nodes
    var levels: [Level] = []
    for tap in manifest.taps {
      let point = manifest.point(of: tap, among: nodes, in: engine)
      let output = tap.recording?.output.flatMap { output in nodes.first { $0.name == output.text } }
      levels.append(
        try engine.addLevel(
          tap, at: point, heardThrough: output, options.records ? recorder : nil,
          isConfined: !options.allowsTakesOutside))
    }
    for (node, wanted) in zip(nodes, manifest.nodes) where wanted.kind == .playback && options.watchesOutputs
    {
      levels.append(
        Level(name: node.name, isTake: false, meter: try engine.installMeter(on: node, side: .before)))
    }
    self.levels = levels
    // An offline session has no user who could start it.
    if case .offline = backend, case .local = manifest.transport { try engine.startTransport() }
    try engine.prepare()
  }

  /// Returns the node with a name; nil if there is none.
  public func node(_ name: String) -> AudioNode? { nodes.first { $0.name == name } }
}

extension ResolvedManifest {
  /// Returns the point of a tap in the engine.
  fileprivate func point(of tap: Tap, among attached: [AudioNode], in engine: AudioEngine) -> TapPoint {
    let side: Graph.Tap.Side = tap.side == .before ? .before : .after
    return switch tap.point {
    case .node(let node, let bus): .node(attached[node], bus: SwiftletGraph.Bus(index: bus), side: side)
    case .wire(let wire): .wire(Swiftlet.Wire(wires[wire].engineWire(attached).id, in: engine), side: side)
    }
  }
}

extension AudioEngine {
  fileprivate func addLevel(
    _ tap: ResolvedManifest.Tap, at point: TapPoint, heardThrough output: AudioNode?, _ recorder: Recorder?,
    isConfined: Bool
  ) throws(EngineError) -> Session.Level {
    guard let recorder, let recording = tap.recording else {
      return .init(name: tap.name, isTake: false, meter: try installMeter(at: point))
    }
    return .init(
      name: tap.name, isTake: true,
      meter: try recorder.add(
        tap.name, at: point, file: recording.file.text,
        options: .init(
          format: recording.format?.rawValue, rate: recording.rate.map(Double.init),
          quality: recording.quality, overwrites: recording.overwrites,
          isArmed: recording.start == .armed, heardThrough: output),
        isConfined: isConfined))
  }
}
