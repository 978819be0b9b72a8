// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import CSwiftletLilv
import CSwiftletRealtime
import Foundation
import SwiftletEffects
import SwiftletGraph
import SwiftletSignal
import Testing

@testable import SwiftletLV2

/// The built-in effects as LV2 plugins in Swiftlet's host: they output the same as the nodes.
@Suite struct ExportTests {
  /// A folder with the bundle, built from the current sources.
  static let folder = Result {
    let folder = try FixtureFolder().path
    let root = URL(filePath: #filePath).appending(path: "../../..").standardizedFileURL.path
    try command(root + "/Scripts/lv2-bundle", [folder + "/swiftlet.lv2", root + "/Plugins/Effects"])
    return folder
  }
  static let catalog = {
    var catalog = EffectRegistry()
    forEachEffect(&catalog)
    return catalog
  }()

  /// An effect and one of its plugins.
  struct Case: Sendable, CustomTestStringConvertible {
    var entry: EffectRegistry.Entry
    var isMono: Bool
    var uri: String { "urn:swiftlet:\(entry.info.id)" + (isMono ? "-mono" : "") }
    var testDescription: String { uri }
    var channels: Int { isMono ? 1 : 2 }

    /// The effect's parameters as the plugin's ports should have them: bands are numbered from 1.
    func expected(bandCount: Int) -> [ParameterInfo] {
      var all = entry.info.parameters
      guard let bands = entry.info.bands else { return all }
      for band in 0..<bandCount {
        all += bands.parameters.map { parameter in
          var parameter = parameter
          parameter.symbol = "\(bands.singular)-\(band + 1)-\(parameter.symbol)"
          parameter.number += band * bands.parameters.count
          return parameter
        }
      }
      return all
    }
  }
  /// All effects but those that require a file, which a state loads: see below.
  static let cases = catalog.entries.filter { !$0.info.files.contains(where: \.isRequired) }.flatMap {
    entry in
    let isWide = entry.info.outputs.contains { $0.content == .matching }
    return (isWide ? [false, true] : [false]).map { Case(entry: entry, isMono: $0) }
  }

  private func world() throws -> PluginWorld { PluginWorld(path: try Self.folder.get()) }

  @Test(arguments: cases) func `the Turtle agrees with the effect's description`(_ test: Case) throws {
    let info = try world().info(uri: test.uri)
    let bandCount = test.entry.info.bands.map { max(min(10, $0.count.upperBound), $0.count.lowerBound) } ?? 0
    let expected = test.expected(bandCount: bandCount)
    #expect(info.refusal == nil && info.requiredFeatures == [])
    #expect(info.parameters.map(\.symbol) == expected.map { $0.symbol.replacing("-", with: "_") })
    for (port, parameter) in zip(info.parameters, expected) {
      #expect(port.range == parameter.range && port.initial == parameter.initial, "\(port.symbol)")
      #expect(port.unit == parameter.unit && port.curve == parameter.curve, "\(port.symbol)")
      #expect(port.choices.map(\.value) == parameter.choices.map(\.value), "\(port.symbol)")
      #expect(port.meaning.hasPrefix(parameter.meaning), "\(port.symbol)")
    }
    #expect(info.presets.count == test.entry.info.presets.count)
    #expect(info.meters.count == test.entry.info.meters.count)
    let sound = info.inputs.filter { $0.content != .events }
    #expect(sound.map(\.isSideChain) == test.entry.info.inputs.map(\.isSideChain))
    #expect(info.inputs.first?.symbol == test.entry.info.inputs.first?.symbol)
    #expect(info.outputs.first?.symbol == "out")
  }

  @Test(arguments: cases) func `node and plugin output the same bits`(_ test: Case) throws {
    for blocks in [[64], [1024], [16, 48, 1024, 112, 2048]] {
      var random = LinearRandom(seed: UInt64(blocks.count + test.channels))
      let layout = PluginLayout(sampleRate: 48_000, longestBlock: 8192, channels: test.channels)
      let (plugin, pluginRig) = try world().rig(test.uri, layout)
      let ports = try world().info(uri: test.uri).parameters
      let plainCount = test.entry.info.parameters.count
      let bandCount = test.entry.info.bands.map { (ports.count - plainCount) / $0.parameters.count } ?? 0
      func widths(_ buses: [ProcessorInfo.Bus]) -> [Int] {
        buses.map { bus in
          switch bus.content {
          case .matching: test.channels
          case .atLeast(let fewest): max(test.channels, fewest)
          case .channels(let count): count
          case .events: 0
          }
        }
      }
      let effect = try test.entry.make(
        Layout(
          sampleRate: 48_000, longestBlock: 8192, inputs: widths(test.entry.info.inputs),
          outputs: widths(test.entry.info.outputs), bandCount: bandCount))
      let effectRig = ProcessorRig(effect, test.entry.info, channels: test.channels)
      let parameters = test.expected(bandCount: bandCount)

      /// Returns random parameter changes, as index and value: one for each parameter if `count` is their number.
      func moves(_ count: Int) -> [(Int, Float)] {
        (0..<count).map { index in
          let number = count == parameters.count ? index : Int(random.next() % UInt64(parameters.count))
          let range = parameters[number].range
          let share = Float(random.next() % 1001) / 1000
          var value = range.lowerBound + (range.upperBound - range.lowerBound) * share
          if [.integer, .toggle, .choice].contains(parameters[number].curve) { value.round() }
          return (number, value)
        }
      }
      let start = moves(parameters.count)
      // A host passes one value of each control per run, and the plugin reads them in the order of its ports.
      let later = (0..<8).map { _ -> [(Int, Float)] in
        guard !parameters.isEmpty else { return [] }
        return Dictionary(moves(2), uniquingKeysWith: { $1 }).sorted { $0.key < $1.key }.map {
          ($0.key, $0.value)
        }
      }
      let input = (0..<widths(test.entry.info.inputs).reduce(0, +)).map {
        noise(24_000, seed: UInt32($0 + 1))
      }
      func play(_ rig: ProcessorRig, _ set: @escaping (Int, Float) -> Void) -> [[Float]] {
        var next = 0
        return rig.play(input, frames: 24_000, blocks: blocks) { frame in
          // A transport that starts after a while, gets faster, and loses its tempo.
          let tempo = [0, 133.3, 133.3, 171.9, 171.9, 500, 500, 0][min(frame / 3000, 7)]
          rig.transport = Transport(
            isRolling: frame >= 3000, position: Int64(max(frame - 3000, 0)), tempo: tempo,
            beatUnit: frame < 18_000 ? 4 : 8)
          guard frame / 3000 > next, next < later.count else { return }
          for (number, value) in later[next] { set(number, value) }
          next += 1
        }
      }
      // Before the first block values apply at once; later they glide as the parameter defines.
      for (number, value) in start {
        effect.set(number, to: value, over: 0)
        plugin.set(ports[number].number, to: value, over: 0)
      }
      let node = play(effectRig) { effect.set($0, to: $1, over: -1) }
      let hosted = play(pluginRig) { plugin.set(ports[$0].number, to: $1, over: 0) }
      #expect(node.count == hosted.count && !node.isEmpty)
      for (channel, (one, other)) in zip(node, hosted).enumerated() {
        let difference = zip(one, other).enumerated().first { $1.0.bitPattern != $1.1.bitPattern }
        #expect(difference == nil, "channel \(channel) in blocks of \(blocks)")
      }
    }
  }

  @Test(arguments: [1, 2]) func `a preset loads a convolver's file, and the output equals the node's`(
    channels: Int
  ) throws {
    let uri = "urn:swiftlet:convolver" + (channels == 1 ? "-mono" : ""), other = try FixtureFolder().path
    let response = [noise(3000, seed: 5), noise(3000, seed: 6)]
    try FileManager.default.createDirectory(atPath: other + "/halls.lv2", withIntermediateDirectories: true)
    try WaveFile.write(response, rate: 48_000, to: other + "/halls.lv2/hall.wav")
    try """
    @prefix lv2: <http://lv2plug.in/ns/lv2core#> .
    @prefix pset: <http://lv2plug.in/ns/ext/presets#> .
    @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
    @prefix state: <http://lv2plug.in/ns/ext/state#> .
    <urn:test:hall> a pset:Preset ; lv2:appliesTo <\(uri)> ; rdfs:label "Hall" ; rdfs:seeAlso <manifest.ttl> ;
      state:state [ <urn:swiftlet:convolver#response> <hall.wav> ] .
    """.write(toFile: other + "/halls.lv2/manifest.ttl", atomically: true, encoding: .utf8)
    let world = PluginWorld(path: try Self.folder.get() + ":" + other)
    let layout = PluginLayout(sampleRate: 48_000, longestBlock: 1024, channels: channels, isOffline: true)
    let info = try world.info(uri: uri)
    #expect(info.refusal == nil && info.requiredFeatures == ["http://lv2plug.in/ns/ext/urid#map"])
    let (_, hosted) = try world.rig(uri, layout, preset: "Hall")
    let effect = try EffectProcessor<Convolver>(
      Layout(
        sampleRate: 48_000, longestBlock: 1024, inputs: [channels], outputs: [2],
        files: [.sound(Sound(channels: response, recordedRate: 48_000))]))
    let entry = try #require(Self.catalog.entries.first { $0.info.id == "convolver" })
    let input = (0..<channels).map { noise(12_000, seed: UInt32($0 + 1)) }
    let outputs = [ProcessorRig(effect, entry.info, channels: channels), hosted].map {
      $0.play(input, blocks: [64, 1024, 17])
    }
    #expect(outputs[0] == outputs[1] && outputs[0].count == 2)
    #expect(outputs[0][0] != input[0])
  }

  @Test func `a delay follows the tempo of other hosts`() throws {
    let layout = PluginLayout(sampleRate: 48_000, longestBlock: 8192, channels: 2)
    let (plugin, hosted) = try world().rig("urn:swiftlet:delay", layout)
    let ports = try world().info(uri: "urn:swiftlet:delay").parameters
    let effect = try EffectProcessor<Delay>(Layout(sampleRate: 48_000, longestBlock: 8192))
    let entry = try #require(Self.catalog.entries.first { $0.info.id == "delay" })
    let settings: [(Delay.Parameter, Float)] = [(.sync, 5), (.mix, 100), (.feedback, 50), (.lowPass, 20_000)]
    for (parameter, value) in settings {
      effect.set(parameter.rawValue, to: value, over: 0)
      plugin.set(ports[parameter.rawValue].number, to: value, over: 0)
    }
    let impulse: [Float] = [1] + [Float](repeating: 0, count: 47_999)
    let outputs = [ProcessorRig(effect, entry.info, channels: 2), hosted].map { rig in
      rig.play([impulse, impulse], blocks: [64, 256, 1024]) { frame in
        // A sixteenth note at 120 bpm is 6,000 frames; the tempo changes at frame 14,400.
        rig.transport = Transport(
          isRolling: true, position: Int64(frame), tempo: frame < 14_400 ? 120 : 97.3)
      }
    }
    #expect(outputs[0] == outputs[1])
    #expect(outputs[1][0].indices.first { outputs[1][0][$0] != 0 } == 6000)
    #expect(outputs[1][0][12_000] == 0.5)
  }

  @Test(arguments: cases) func `run neither waits nor allocates`(_ test: Case) throws {
    let library = try Self.folder.get() + "/swiftlet.lv2/swiftlet.so"
    let handle = try #require(dlopen(library, RTLD_NOW))
    typealias Lookup = @convention(c) (UInt32) -> UnsafePointer<LV2_Descriptor>?
    let lookup = unsafeBitCast(try #require(dlsym(handle, "lv2_descriptor")), to: Lookup.self)
    let found = (0..<1000).lazy.compactMap { lookup(UInt32($0)) }
      .first { String(cString: $0.pointee.URI) == test.uri }
    let descriptor = try #require(found)
    let plugin = try #require(descriptor.pointee.instantiate(descriptor, 48_000, "/", nil))
    defer { descriptor.pointee.cleanup(plugin) }
    let ports = try world().model(uri: test.uri).ports
    let memory = UnsafeMutablePointer<Float>.allocate(capacity: ports.count * 2048)
    defer { memory.deallocate() }
    memory.initialize(repeating: 0, count: ports.count * 2048)
    for port in ports {
      memory[port.index * 2048] = port.range(sampleRate: 48_000).initial
      descriptor.pointee.connect_port(plugin, UInt32(port.index), memory + port.index * 2048)
    }
    descriptor.pointee.activate(plugin)
    for round in 0..<40 {
      for port in ports where port.isParameter || port.role == .enabled {
        let range = port.range(sampleRate: 48_000).range
        memory[port.index * 2048] =
          range.lowerBound + (range.upperBound - range.lowerBound) * Float(round * 7 % 40) / 39
      }
      for port in ports where port.kind == .audio && port.isInput {
        for (frame, sample) in noise(2048, seed: UInt32(round)).enumerated() {
          memory[port.index * 2048 + frame] = sample
        }
      }
      rt_enter()
      descriptor.pointee.run(plugin, round % 2 == 0 ? 64 : 2048)
      rt_exit()
    }
    let isFinite = ports.filter { $0.kind == .audio && !$0.isInput }.allSatisfy { port in
      (0..<2048).allSatisfy { memory[port.index * 2048 + $0].isFinite }
    }
    #expect(isFinite)
  }
}

/// A reproducible random number generator.
private struct LinearRandom {
  var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return state >> 33
  }
}
