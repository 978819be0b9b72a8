// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import Glibc
internal import Swiftlet
internal import SwiftletGraph
internal import SwiftletJack
internal import SwiftletLV2
internal import SwiftletManifest
internal import SwiftletThreads

/// Measures the computing time of a manifest whose inputs are noise, and in turn that of its plugins without the host.
struct Bench {
  private let session: Session
  private let rack: PluginBaseline
  /// The indices of the manifest's plugins.
  private let plugins: [Int]
  private let rate: Int, block: Int

  /// Creates the graph, and a second instance of each plugin for the bare measurement.
  ///
  /// - Throws: A ``Failure``.
  init(_ manifest: ResolvedManifest, file: String, rate: Int, block: Int) throws {
    self.rate = rate
    self.block = block
    var changes = Session.Options()
    changes.records = false
    changes.watchesOutputs = false
    do throws(EngineError) {
      session = try Session(manifest, on: .offline(sampleRate: Double(rate), longestBlock: block), changes)
    } catch {
      throw Failure(error, in: manifest, file: file)
    }
    var plugins: [Int] = [], processors: [PluginProcessor] = []
    for (index, node) in manifest.nodes.enumerated() {
      guard case .plugin(let info) = node.kind else { continue }
      let layout = PluginLayout(
        sampleRate: Double(rate), longestBlock: block, period: block,
        channels: node.inputs.first?.format.channelCount ?? 2, isOffline: true)
      // A plugin that allows no second instance has no bare measurement.
      guard
        let processor = try? PluginOutput.attributed(
          to: node.name,
          { () throws(PluginError) in
            try PluginWorld.shared.makeProcessor(
              uri: info.id, layout: layout, preset: node.preset,
              values: node.values.map { (number: $0.parameter, value: $0.value) })
          })
      else { continue }
      plugins.append(index)
      processors.append(processor)
    }
    self.plugins = plugins
    rack = PluginBaseline(processors, frameCount: block)
  }

  /// Measures for this many seconds.
  ///
  /// - Throws: A ``Failure``.
  func measure(seconds: Double, console: Console) throws -> BenchCosts {
    let signal = TestSignal(sampleRate: session.engine.sampleRate)
    // Warm-up: at first caches are cold, plugins settle, and the sound fades in.
    try render(max(rate / 2 / block, 100), signal)
    _ = rack.run(blocks: 100)
    session.engine.setProfiling(true)
    let steps = session.engine.costs
    var totals = [Double](repeating: 0, count: steps.count)
    var rounds = steps.map { _ in [Double]() }, bare = plugins.map { _ in [Double]() }
    var whole: [Double] = [], longest: [Double] = [], bareWhole: [Double] = []
    var rendered = 0
    let roundLength = 200
    var display = LiveDisplay(console)
    let start = SystemClock.now
    while SystemClock.now - start < seconds || whole.count < 20 {
      session.engine.setProfiling(false)
      let cycles = try measure(cycles: roundLength)
      whole.append(cycles.mean)
      longest.append(cycles.longest)
      bareWhole.append(rack.run(blocks: roundLength))
      session.engine.setProfiling(true)
      try render(roundLength, signal)
      rendered += roundLength
      for (step, cost) in session.engine.costs.enumerated() where totals.indices.contains(step) {
        let total = cost.mean * Double(rendered)
        rounds[step].append((total - totals[step]) / Double(roundLength))
        totals[step] = total
      }
      for (index, cost) in rack.runEach(blocks: roundLength).enumerated() { bare[index].append(cost) }
      let time = SystemClock.now - start
      guard display.canRedraw, display.isDue(at: time) else { continue }
      display.draw(
        at: time,
        screen: { columns, _ in
          ExportSession.Progress(done: .seconds(time), total: .seconds(seconds), elapsed: .zero)
            .screen(columns: columns, style: console.style)
        }, line: { "" })
    }
    display.clear()
    return BenchCosts(
      name: session.manifest.name, rate: rate, block: block,
      rows: rows(session.engine.costs, rounds.map(Self.median), bare.map(Self.median)),
      total: Self.median(whole), longest: Self.median(longest),
      bare: plugins.isEmpty ? 0 : Self.median(bareWhole))
  }

  /// Measures the cost of edits while the graph plays; nil if the graph has no wire to add.
  ///
  /// - Throws: A ``Failure``.
  func measureEdits(_ count: Int, attaching plugin: String?) throws -> EditCosts? {
    session.engine.setProfiling(false)
    do throws(EngineError) {
      return try session.engine.measureEdits(count, of: block, attaching: plugin)
    } catch {
      throw Failure(error)
    }
  }

  /// Measures edits of a graph that plays on a private JACK server.
  ///
  /// - Throws: A ``Failure``.
  static func measureLiveEdits(
    _ count: Int, attaching plugin: String, on dummy: DummyRate
  ) throws -> LiveEditCosts {
    let server: DummyServer
    do throws(JackError) {
      server = try DummyServer(
        .init(sampleRate: dummy.sampleRate, period: dummy.period, waitsForClients: true), timeout: 60)
    } catch {
      throw Failure(.jack(error))
    }
    defer { server.stop() }
    do throws(EngineError) {
      return try AudioEngine.measureLiveEdits(count, attaching: plugin, server: server.name)
    } catch {
      throw Failure(error)
    }
  }

  /// Measures the delay until the timeline's tracks, played as one composition, are heard after a seek and after an
  /// edit; nil if there are no tracks. Automation of other nodes is left out.
  ///
  /// - Throws: A ``Failure``.
  func measureComposition(_ count: Int) throws -> CompositionCosts? {
    let composition = try session.manifest.composition()
    guard !composition.tracks.isEmpty else { return nil }
    var mix = try session.manifest.mix()
    mix.lanes = [:]
    do throws(EngineError) {
      return try AudioEngine.measureComposition(
        composition, mix: mix, count: count, sampleRate: Double(rate), period: block)
    } catch {
      throw Failure(error)
    }
  }

  /// Returns the cost of each node that processes sound.
  private func rows(_ steps: [NodeCost], _ seconds: [Double], _ bare: [Double]) -> [BenchCosts.Row] {
    let manifest = session.manifest
    let costs = Dictionary(grouping: zip(steps, seconds).map { ($0, $1) }, by: \.0.node)
    var rows: [BenchCosts.Row] = []
    for (index, node) in manifest.nodes.enumerated() {
      let own = costs[session.nodes[index].id] ?? []
      guard let what = node.title else { continue }
      rows.append(
        .init(
          name: node.name, what: what, seconds: own.map(\.1).reduce(0, +),
          worst: own.map(\.0.worst).reduce(0, +),
          bare: plugins.firstIndex(of: index).map { bare[$0] }))
    }
    return rows
  }

  private func measure(cycles: Int) throws -> (mean: Double, longest: Double) {
    do throws(EngineError) { return try session.engine.measure(cycles: cycles, of: block) } catch {
      throw Failure(error)
    }
  }

  private func render(_ blocks: Int, _ signal: TestSignal) throws {
    do throws(EngineError) {
      for _ in 0..<blocks {
        try session.engine.render(
          block, fill: { _, _, samples in signal.fill(samples) },
          play: { _, events, frame in signal.play(events, from: frame, frameCount: block) },
          deliver: { _, _, _ in })
      }
    } catch {
      throw Failure(error)
    }
  }

  private static func median(_ values: [Double]) -> Double {
    values.isEmpty ? 0 : values.sorted()[values.count / 2]
  }
}

extension ResolvedManifest.Node {
  /// The name of a node that processes sound; nil for input and output nodes and mixers, whose work is that of wires.
  fileprivate var title: String? {
    switch kind {
    case .effect(let info), .plugin(let info): info.name.shortened(to: 40)
    case .player: "player"
    case .track: "track"
    case .capture, .playback, .midiIn, .midiOut, .mixer: nil
    }
  }
}
