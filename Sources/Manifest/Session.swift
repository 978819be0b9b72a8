// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

public import Swiftlet
internal import SwiftletFiles

/// A manifest brought to life: an engine with the nodes, wires, taps and takes that it asks for.
///
/// Made from a manifest in which every name has been found; what can still fail is the machine: a plugin
/// that does not start, a server that gives no port.
public final class Session: Sendable {
  /// How a session differs from what its manifest says.
  public struct Options: Sendable {
    /// Where takes go; the current directory unless told otherwise.
    public var takesFolder = "."
    /// Whether the manifest may record outside ``takesFolder``: by an absolute path, by `..`, or by a symbolic link.
    public var allowsTakesOutside = false
    /// Whether takes are recorded at all.
    public var records = true
    /// Whether the levels of playback nodes are measured, for somebody to look at.
    public var watchesOutputs = true
    /// Whether cables are made as the manifest says; without, ports stand free.
    public var connects = true
    /// The period of JACK, in frames, that an offline session behaves for: see ``AudioEngine``.
    package var simulatedPeriod: Int?

    /// The options that change nothing.
    public init() {}
  }

  /// A level that is worth showing: of a tap, or of a playback node.
  public struct Level: Sendable {
    /// The tap's or the node's name.
    public let name: String
    /// Whether it is a tap that records.
    public let isTake: Bool
    /// Where the level is read.
    public let meter: Meter
  }

  /// What plays.
  public let engine: AudioEngine
  /// What records.
  public let recorder: Recorder
  /// What it was made from.
  public let manifest: ResolvedManifest
  /// The nodes, in the manifest's order.
  public let nodes: [AudioNode]
  /// Taps first, then playback nodes.
  public let levels: [Level]

  /// Makes all that the manifest asks for, as a client of a JACK server. Nothing plays yet.
  ///
  /// - Parameters:
  ///   - client: the client's name; default: the manifest's name.
  ///   - server: the server's name; default: `JACK_DEFAULT_SERVER`, otherwise JACK's default server.
  /// - Throws: ``EngineError``.
  public convenience init(
    _ manifest: ResolvedManifest, client: String? = nil, server: String? = nil, _ options: Options = Options()
  ) throws(EngineError) {
    try self.init(manifest, on: .jack(name: client ?? manifest.name, server: server), options)
  }

  /// Makes all that the manifest asks for, to be rendered without a server. Nothing plays yet. A timeline that starts
  /// paused starts with the first block.
  ///
  /// - Parameter sampleRate: frames a second, from 1,000 to 1,536,000; default: 48,000.
  /// - Throws: ``EngineError``.
  public static func offline(
    _ manifest: ResolvedManifest, sampleRate: Double = 48_000, _ options: Options = Options()
  ) throws(EngineError) -> Session {
    try Session(manifest, on: .offline(sampleRate: sampleRate), options)
  }

  /// Makes all that the manifest asks for. Nothing plays yet.
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
    // Who says nothing gets along with everybody, and does as others ask.
    if manifest.session == nil { try engine.setSession(AudioSession()) }
    let nodes = try manifest.attach(to: engine, connects: options.connects)
    self.nodes = nodes
    var levels: [Level] = []
    for tap in manifest.taps {
      let point = manifest.point(of: tap, among: nodes, in: engine)
      let output = tap.recording?.output.flatMap { output in nodes.first { $0.name == output.text } }
      levels.append(
        try engine.listen(
          tap, at: point, heardThrough: output, options.records ? recorder : nil,
          isConfined: !options.allowsTakesOutside))
    }
    for (node, wanted) in zip(nodes, manifest.nodes) where wanted.kind == .playback && options.watchesOutputs
    {
      levels.append(
        Level(name: node.name, isTake: false, meter: try engine.installMeter(on: node, side: .before)))
    }
    self.levels = levels
    // An offline session has no key that would start it.
    if case .offline = backend, case .local = manifest.transport { try engine.startTransport() }
    try engine.prepare()
  }

  /// The node of this name.
  public func node(_ name: String) -> AudioNode? { nodes.first { $0.name == name } }
}

extension ResolvedManifest {
  /// What a tap listens to, among the nodes that were attached.
  fileprivate func point(of tap: Tap, among attached: [AudioNode], in engine: AudioEngine) -> TapPoint {
    let side: Graph.Tap.Side = tap.side == .before ? .before : .after
    return switch tap.point {
    case .node(let node, let bus): .node(attached[node], bus: SwiftletGraph.Bus(index: bus), side: side)
    case .wire(let wire): .wire(Swiftlet.Wire(wires[wire].engineWire(attached).id, in: engine), side: side)
    }
  }
}

extension AudioEngine {
  fileprivate func listen(
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
