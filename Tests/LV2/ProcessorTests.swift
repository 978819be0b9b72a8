// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import CSwiftletLilv
import Foundation
import SwiftletGraph
import SwiftletSignal
import Testing

@testable import SwiftletLV2

@Suite struct ProcessorTests {
  private let amp = "http://lv2plug.in/plugins/eg-amp"
  private let world = PluginWorld.shared

  @Test func `an amplifier applies the gain of its parameter`() throws {
    let (_, rig) = try world.rig(amp, values: ["gain": -6])
    let input = noise(1000)
    let factor = powf(10, -6 * 0.05)
    #expect(rig.play([input], blocks: [1, 7, 64, 256]) == [input.map { $0 * factor }])
    rig.addresses = 0
    #expect(rig.play([input], blocks: [1, 7, 64, 256]) == [input.map { $0 * factor }])
  }

  @Test func `a mono plugin has an instance for each channel of its bus`() throws {
    let layout = PluginLayout(sampleRate: 48_000, longestBlock: 512, channels: 3)
    let (_, rig) = try world.rig(amp, layout, values: ["gain": 6])
    let input = [noise(600, seed: 1), noise(600, seed: 2), noise(600, seed: 3)]
    let factor = powf(10, 6 * 0.05)
    #expect(rig.play(input) == input.map { $0.map { $0 * factor } })
  }

  @Test func `a plugin plays correctly when its buffers move`() throws {
    let processor = try world.makeProcessor(
      uri: amp, layout: PluginLayout(sampleRate: 48_000, longestBlock: 256, channels: 1))
    let info = try world.info(uri: amp)
    let first = ProcessorRig(processor, info), second = ProcessorRig(processor, info)
    for round in 0..<3 {
      let input = noise(512, seed: UInt32(round + 1))
      #expect(first.play([input], blocks: [128]) == [input])
      #expect(second.play([input], blocks: [512, 100]) == [input])
      second.addresses = second.addresses == 0 ? 1 << 40 : 0
    }
  }

  @Test func `a parameter glides in steps of the grid, whatever the block size`() throws {
    func play(_ blocks: [Int]) throws -> [Float] {
      let (processor, rig) = try world.rig(amp, values: ["gain": -20])
      let ones = [Float](repeating: 1, count: 512)
      return rig.play([ones], blocks: blocks) { if $0 == 128 { processor.set(0, to: 0, over: 160) } }[0]
    }
    let played = try play([64])
    for frame in 0..<128 { #expect(played[frame] == powf(10, -20 * 0.05)) }
    for step in 0..<10 {
      let value = -20 + 20 * Float(16 * (step + 1)) / 160
      #expect(abs(played[128 + step * 16] - powf(10, value * 0.05)) < 1e-6)
      #expect(played[128 + step * 16] == played[128 + step * 16 + 15])
    }
    #expect(played[511] == 1)
    #expect(try play([16]) == played)
    #expect(try play([128]) == played)
  }

  @Test func `after a split block the plugin's ports are connected to the start of its buffers`() throws {
    // Blocks are split by a glide that ends in the middle, and by a length above the plugin's maximum.
    let layout = PluginLayout(sampleRate: 48_000, longestBlock: 1024, period: 64, channels: 1)
    let (processor, rig) = try world.rig(amp, layout, values: ["gain": -6])
    let input = noise(1024)
    rig.play([input], frames: 192, blocks: [64])
    #expect(rig.directCalls == 2)
    processor.set(0, to: 0, over: 100)
    rig.play([input], frames: 128, blocks: [64])
    for blocks in [[64], [256, 64, 64], [1024], [64]] {
      let before = rig.directCalls
      #expect(rig.play([input], blocks: blocks) == [input])
      #expect(rig.directCalls > before || blocks == [1024])
    }
  }

  @Test func `parameter values are clamped, and NaN and unknown parameters ignored`() throws {
    let (processor, rig) = try world.rig(amp)
    processor.set(0, to: 1000, over: 0)
    processor.set(0, to: .nan, over: 0)
    processor.set(1, to: 1000, over: 0)
    processor.set(-1, to: 1, over: 0)
    processor.set(99, to: 1, over: 0)
    #expect(rig.play([[1]]) == [[powf(10, 24 * 0.05)]])
  }

  @Test func `MIDI events reach the plugin and leave it at their frames`() throws {
    let (_, rig) = try world.rig("http://lv2plug.in/plugins/eg-fifths")
    let notes = [
      ProcessorRig.Note(frame: 10, bytes: [0x90, 60, 100]),
      ProcessorRig.Note(frame: 700, bytes: [0x80, 60, 0]),
      ProcessorRig.Note(frame: 701, bytes: [0xB0, 7, 90]),
    ]
    rig.frame = 1 << 40
    rig.play([], frames: 1024, blocks: [256], notes: notes)
    #expect(
      rig.sent == [
        ProcessorRig.Note(frame: 10, bytes: [0x90, 60, 100]),
        ProcessorRig.Note(frame: 10, bytes: [0x90, 67, 100]),
        ProcessorRig.Note(frame: 700, bytes: [0x80, 60, 0]),
        ProcessorRig.Note(frame: 700, bytes: [0x80, 67, 0]),
        ProcessorRig.Note(frame: 701, bytes: [0xB0, 7, 90]),
      ])
  }

  @Test func `a plugin with a worker and a default state plays the sample in its bundle`() throws {
    let layout = PluginLayout(sampleRate: 48_000, longestBlock: 1024, period: 256, isOffline: true)
    let (processor, rig) = try world.rig("http://lv2plug.in/plugins/eg-sampler", layout)
    let note = [ProcessorRig.Note(frame: 100, bytes: [0x90, 60, 127])]
    let played = rig.play([], frames: 4096, blocks: [256], notes: note)
    #expect(played[0][..<100].allSatisfy { $0 == 0 })
    let loudest = played[0].map { abs($0) }.max() ?? 0
    #expect(0.01 < loudest && loudest < 2)
    let errors = processor.takeMessages().filter { $0.level == .error }
    #expect(errors.isEmpty)
  }

  @Test func `two instances are independent`() throws {
    let (_, first) = try world.rig(amp, values: ["gain": -6])
    let (_, second) = try world.rig(amp, values: ["gain": 6])
    #expect(first.play([[1]]) != second.play([[1]]))
  }

  @Test func `invalid URIs, parameters, presets and layouts throw`() throws {
    let layout = PluginLayout(sampleRate: 48_000, longestBlock: 256)
    #expect(throws: PluginError.self) { try world.makeProcessor(uri: "urn:nobody", layout: layout) }
    #expect(throws: PluginError.unknownParameter(1, plugin: amp)) {
      try world.makeProcessor(uri: amp, layout: layout, values: [(1, 0)])
    }
    #expect(throws: PluginError.unknownPreset("Nobody's", plugin: amp, known: [])) {
      try world.makeProcessor(uri: amp, layout: layout, preset: "Nobody's")
    }
    for bad in [
      PluginLayout(sampleRate: .nan, longestBlock: 256), PluginLayout(sampleRate: 0, longestBlock: 256),
      PluginLayout(sampleRate: 48_000, longestBlock: 0), PluginLayout(sampleRate: 48_000, longestBlock: .max),
      PluginLayout(sampleRate: 48_000, longestBlock: 64, period: -1),
      PluginLayout(sampleRate: 48_000, longestBlock: 64, channels: 0),
    ] {
      #expect(throws: PluginError.self) { try world.makeProcessor(uri: amp, layout: bad) }
    }
  }
}
