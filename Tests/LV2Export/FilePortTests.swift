// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import CSwiftletLV2
import Foundation
import SwiftletEffects
import SwiftletSignal
import Testing

@testable import SwiftletLV2Export

/// An exported effect that needs a file: how the host sets the file, and what the plugin outputs.
struct FilePortTests {
  private static let file = "urn:swiftlet:convolver#response"

  private func host(isMono: Bool = true) throws -> MinimalHost {
    let host = try MinimalHost(Convolver.self, isMono: isMono, hasURIDMap: true, works: true)
    host["mix"] = 100
    return host
  }

  private func number(_ name: String) -> UInt32 { Atoms.number(name) }

  /// Returns a `patch:Set` or `patch:Get` with the given properties.
  private func patch(_ kind: String, _ properties: [(String, String, [UInt8])]) -> Atoms.Event {
    var body = Atoms.bytes(UInt32(0)) + Atoms.bytes(number("patch#" + kind))
    for (key, type, bytes) in properties {
      body += Atoms.bytes(number("patch#" + key)) + Atoms.bytes(UInt32(0))
      body += Atoms.bytes(UInt32(bytes.count)) + Atoms.bytes(number("atom#" + type)) + Atoms.padded(bytes)
    }
    return (0, "atom#Object", body)
  }

  private func set(_ path: String, property: String = Self.file) -> Atoms.Event {
    let number = Atoms.bytes(MinimalHost.number(property))
    return patch("Set", [("property", "URID", number), ("value", "Path", Array(path.utf8) + [0])])
  }

  /// Runs the plugin with messages at `control`, and returns the paths that it reports at `notify`.
  @discardableResult
  private func run(_ host: MinimalHost, _ frames: Int, _ messages: [Atoms.Event] = []) -> [String] {
    host.write(bytes: Atoms.sequence(messages), to: "control")
    host.write(bytes: Atoms.bytes(UInt32(8192)) + Atoms.bytes(UInt32(0)), to: "notify")
    host.run(frames)
    return Atoms.read(host.read(bytes: 8200, from: "notify")).map { event in
      #expect(event.body[4..<8].elementsEqual(Atoms.bytes(number("patch#Set"))))
      #expect(event.body[24..<28].elementsEqual(Atoms.bytes(MinimalHost.number(Self.file))))
      return String(decoding: event.body[48...].prefix { $0 != 0 }, as: UTF8.self)
    }
  }

  private func load(_ path: String, _ host: MinimalHost) {
    run(host, 0, [set(path)])
    host.work()
  }

  private func node(_ response: [[Float]], rate: Double, _ input: [[Float]], outputs: Int) throws -> [[Float]]
  {
    var convolver = try Convolver(
      Layout(
        sampleRate: 48_000, longestBlock: 1024, inputs: [input.count], outputs: [outputs],
        files: [.sound(Sound(channels: response, recordedRate: rate))]))
    convolver.set(.mix, to: 100, over: 0)
    return playBlocks(&convolver, input, outputs: outputs)
  }

  @Test func `without a file the input is passed on`() throws {
    let host = try host()
    let input = noise(3000)
    host.write(input, to: "in")
    #expect(run(host, 3000, [patch("Get", [])]) == [""])
    #expect(host.read("out_left", 3000) == input && host.read("out_right", 3000) == input)
  }

  @Test func `without a URID map there is no instance, without a worker messages load no file`() throws {
    var exports = PluginExports()
    exports.visit(Convolver.self)
    let descriptor = try #require(exports.descriptor(0))
    #expect(descriptor.pointee.instantiate(descriptor, 48_000, "/", nil) == nil)
    let host = try MinimalHost(Convolver.self, isMono: true, hasURIDMap: true)
    host.write([0.5], to: "in")
    #expect(run(host, 1, [set("/dev/null")]) == [""])
    #expect(host.read("out_left", 1) == [0.5])
  }

  @Test(arguments: [WaveBytes.Kind.bits16, .bits24, .float32])
  func `a plugin with a file sounds like the node, bit by bit`(kind: WaveBytes.Kind) throws {
    let response = [noise(5000, seed: 5), noise(5000, seed: 6)].map { $0.map { $0 * 0.1 } }
    let file = WaveBytes(kind: kind), path = try file.write(response)
    defer { unlink(path) }
    let decoded = try #require(WaveFile.read(path.utf8.map { CChar(bitPattern: $0) } + [0]))
    let host = try host(isMono: false), input = [noise(8000, seed: 7), noise(8000, seed: 8)]
    load(path, host)
    host.write(input[0], to: "in_left")
    host.write(input[1], to: "in_right")
    #expect(run(host, 8000) == [path])
    let expected = try node(decoded.channels, rate: 48_000, input, outputs: 2)
    #expect(zip(host.read("out_left", 8000), expected[0]).allSatisfy { $0 == $1 })
    #expect(zip(host.read("out_right", 8000), expected[1]).allSatisfy { $0 == $1 })
    #expect(expected[0].contains { $0 != 0 })
    #expect(
      run(host, 0, [patch("Get", [("property", "URID", Atoms.bytes(MinimalHost.number(Self.file)))])]) == [
        path
      ])
    #expect(run(host, 0, [set("/dev/null", property: "urn:swiftlet:other")]) == [])
  }

  @Test func `a file of another sample rate is converted at the same level`() throws {
    // The impulse response of a low-pass with a gain of 1 at 0 Hz.
    let response = (0..<4000).map { Float((1 - exp(-1 / 400.0)) * exp(-Double($0) / 400)) }
    let path = try WaveBytes(rate: 96_000).write([response])
    defer { unlink(path) }
    let host = try host()
    load(path, host)
    host.write([Float](repeating: 0.5, count: 8000), to: "in")
    run(host, 8000)
    #expect(abs(host.read("out_left", 8000)[7999] - 0.5) < 0.002)
  }

  @Test(arguments: [false, true]) func `a new file fades in without a click`(sharesBuffers: Bool) throws {
    let loud = try WaveBytes().write([[1]]), soft = try WaveBytes().write([[0.25]])
    defer {
      unlink(loud)
      unlink(soft)
    }
    let host = try host(isMono: false)
    if sharesBuffers {
      host.connect(host.port("out_left"), to: host.port("in_left"))
      host.connect(host.port("out_right"), to: host.port("in_right"))
    }
    let out = sharesBuffers ? "in_left" : "out_left"
    func play(_ messages: [Atoms.Event] = []) -> [Float] {
      for side in ["left", "right"] { host.write([Float](repeating: 0.5, count: 2000), to: "in_" + side) }
      run(host, 2000, messages)
      return host.read(out, 2000)
    }
    load(loud, host)
    #expect(play().allSatisfy { $0 == 0.5 })
    #expect(play([set(soft)]).allSatisfy { $0 == 0.5 })
    host.work()
    let faded = play()
    #expect(
      faded[0] > 0.499 && abs(faded[240] - 0.3125) < 0.002 && faded[480] == 0.125 && faded[1999] == 0.125)
    for (now, next) in zip(faded, faded.dropFirst()) { #expect(now - next >= 0 && now - next < 0.0012) }
    // Back to no file; the worker frees the last effect.
    #expect(play([set("")]).allSatisfy { $0 == 0.125 })
    host.work()
    _ = play()
    #expect(play().allSatisfy { $0 == 0.5 })
    host.work()
  }

  @Test func `if files are set faster than they fade in, the last one remains`() throws {
    let paths = try (1...4).map { try WaveBytes().write([[Float($0) / 8]]) }
    defer { for path in paths { unlink(path) } }
    let host = try host()
    host.write([Float](repeating: 0.5, count: 64), to: "in")
    for round in 0..<40 {
      run(host, 64, [set(paths[round % 3]), set(paths[(round + 1) % 4])])
      host.work()
    }
    run(host, 64, [set(paths[3])])
    host.work()
    for _ in 0..<40 { run(host, 64) }
    #expect(host.read("out_left", 64).allSatisfy { $0 == 0.25 })
    host.work()
  }

  @Test func `control values set before a file is loaded apply to it`() throws {
    let path = try WaveBytes().write([[0.5]])
    defer { unlink(path) }
    let host = try host()
    host["trim"] = 6
    host["mix"] = 50
    host.write([Float](repeating: 0.5, count: 4000), to: "in")
    run(host, 4000)
    load(path, host)
    run(host, 4000)
    let level = Float(0.5).squareRoot() * (1 + 0.5 * Float(pow(10, 0.3)))
    #expect(abs(host.read("out_left", 4000)[3999] - 0.5 * level) < 1e-4)
  }

  @Test func `an unreadable file leaves the last one, which is reported to the host`() throws {
    let path = try WaveBytes().write([[0.5]]), odd = try WaveBytes().write([[1], [1], [1]])
    defer {
      unlink(path)
      unlink(odd)
    }
    let host = try host()
    load(path, host)
    #expect(run(host, 64) == [path])
    for wrong in ["/is/not/there.wav", odd, "/", String(repeating: "x", count: 4000)] {
      load(wrong, host)
      #expect(run(host, 64) == [path], "\(wrong)")
    }
    load(String(repeating: "x", count: 5000), host)
    #expect(run(host, 64) == [])
    host.write([1], to: "in")
    run(host, 64)
    #expect(host.read("out_left", 1) == [0.5])
  }

  @Test func `truncated messages and wrong sizes are not read past the end`() throws {
    let path = try WaveBytes().write([[0.5]])
    defer { unlink(path) }
    let host = try host(), whole = Atoms.sequence([set(path), patch("Get", [])])
    for size in 0..<UInt32(whole.count) {
      host.write(bytes: Atoms.bytes(size) + whole.dropFirst(4), to: "control")
      host.run(16)
    }
    for offset in stride(from: 16, to: whole.count - 3, by: 4) {
      var wild = whole
      wild.replaceSubrange(offset..<offset + 4, with: Atoms.bytes(UInt32.max))
      host.write(bytes: wild, to: "control")
      host.run(16)
      host.work()
    }
    host.connect(host.port("control"), to: nil)
    host.connect(host.port("notify"), to: nil)
    host.run(16)
  }

  @Test func `the Turtle states the features, interfaces and file parameter of the plugin`() throws {
    let host = try host()
    var file = TurtleWriter()
    host.plugin.write(to: &file)
    let given = try #require(host.plugin.filed)
    host.plugin.write(given, to: &file)
    for line in [
      "lv2:requiredFeature urid:map ;", "lv2:optionalFeature work:schedule , state:mapPath",
      "lv2:extensionData work:interface , state:interface",
      "patch:writable <urn:swiftlet:convolver#response>",
      "<urn:swiftlet:convolver#response>\n\ta lv2:Parameter ;\n\trdfs:label \"Impulse response\"",
      "rdfs:range atom:Path", "atom:supports patch:Message",
    ] { #expect(file.text.contains(line), "\(line)") }
  }
}

/// Renders an effect in blocks of up to 1024 frames, as an exported plugin splits its runs.
private func playBlocks<E: Effect & ~Copyable>(
  _ effect: inout E, _ input: [[Float]], outputs: Int
) -> [[Float]] {
  let count = input[0].count
  let memory = UnsafeMutablePointer<Float>.allocate(capacity: (input.count + outputs) * count)
  defer { memory.deallocate() }
  memory.initialize(repeating: 0, count: (input.count + outputs) * count)
  for (channel, samples) in input.enumerated() {
    for (frame, sample) in samples.enumerated() { memory[channel * count + frame] = sample }
  }
  var start = 0
  while start < count {
    let frames = min(1024, count - start)
    let table = (0..<input.count + outputs).map { memory + $0 * count + start }
    table.withUnsafeBufferPointer { table in
      guard let base = table.baseAddress else { return }
      let buses = [
        BusMemory(channels: base, channelCount: input.count),
        BusMemory(channels: base + input.count, channelCount: outputs),
      ]
      buses.withUnsafeBufferPointer { buses in
        guard let first = buses.baseAddress else { return }
        withUnsafePointer(to: Transport()) { transport in
          let meters = UnsafeMutablePointer<Float>.allocate(capacity: 1)
          defer { meters.deallocate() }
          let block = BlockMemory(
            inputs: first, inputCount: 1, outputs: first + 1, outputCount: 1, transport: transport,
            meters: meters)
          withUnsafePointer(to: block) {
            effect.process(Block(over: $0, frameCount: frames, frame: Int64(start)))
          }
        }
      }
    }
    start += frames
  }
  return (0..<outputs).map { output in
    (0..<count).map { memory[(input.count + output) * count + $0] }
  }
}
