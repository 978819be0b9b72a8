// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import CSwiftletRealtime
import SwiftletSignal
import SwiftletTimeline
import Testing

@testable import SwiftletGraph

/// A processor whose parameter has a smoothing of its own, and acts behind a latency. It notes all changes.
private final class Glider: Processor, @unchecked Sendable {
  struct Change: Equatable {
    let frame: Int64, value: Float, length: Int
  }
  private(set) var changes: [Change] = []
  private var waiting: [(Float, Int)] = []
  private let own: ParameterTiming

  init(glide: Int, latency: Int = 0) {
    own = ParameterTiming(glide: glide, latency: latency)
    super.init()
  }

  override func timing(of parameter: Int) -> ParameterTiming { own }

  override func set(_ parameter: Int, to value: Float, over frames: Int) {
    rt_third_party_enter()
    defer { rt_third_party_exit() }
    waiting.append((value, frames))
  }

  override func process(_ block: Block) {
    rt_third_party_enter()
    defer { rt_third_party_exit() }
    changes += waiting.map { Change(frame: block.frame, value: $0.0, length: $0.1) }
    waiting = []
    for frame in 0..<block.frameCount { block.output()[0][frame] = block.input()[0][frame] }
  }
}

/// The points of a parameter's lane: the changes that its processor receives.
@Suite struct LanePointTests {
  private let rate = 1000.0

  /// Returns the changes that a processor receives from a lane: `one ──► glider ──► desk`
  private func changes(
    _ lane: Automation, glide: Int = 100, latency: Int = 0, block: Int = 64, isWhole: Bool = false
  )
    throws -> [Glider.Change]
  {
    let rig = Rig(outputs: [.audio(channels: 1)], sampleRate: rate, longestBlock: 1024, isLive: false)
    let glider = Glider(glide: glide, latency: latency)
    var sketch = Sketch()
    let one = try sketch.source("one", Emitter.constant(1)), node = try sketch.node("glider", glider)
    try sketch.chain(one, node, try sketch.output("desk"))
    try sketch.graph.automate(.init(.node(node), .parameter(0)), with: lane, isWhole: isWhole)
    try rig.play(sketch)
    rig.render(3000, block: block)
    return glider.changes
  }

  @Test(arguments: laneBlockSizes)
  func `a point starts the parameter's own smoothing at its frame`(block: Int) throws {
    var lane = Automation(0.25)
    try lane.set(0.75, at: .milliseconds(500))
    try lane.set(0.5, at: .milliseconds(1003), curve: .step)
    #expect(
      try changes(lane, block: block) == [
        .init(frame: 0, value: 0.25, length: 0), .init(frame: 500, value: 0.75, length: -1),
        .init(frame: 1003, value: 0.5, length: 0),
      ])
  }

  @Test func `a move that begins at another value is joined where the smoothing ends`() throws {
    var lane = Automation(0)
    try lane.ramp(from: 1, to: 2, in: .milliseconds(500)..<(.milliseconds(1500)))
    let all = try changes(lane)
    #expect(all[1].frame == 500)
    #expect(all[1].length == -1)
    #expect(abs(all[1].value - 1.099) < 1e-5)
    // The frame after the smoothing lies within a step of 16 frames, which ends at frame 607.
    #expect(all[2].frame == 600)
    #expect(all[2].length == 8)
    #expect(abs(all[2].value - 1.107) < 1e-5)
    #expect(all.dropFirst(2).allSatisfy { 1...16 ~= $0.length })
  }

  @Test func `a move that begins at the parameter's value keeps its shape`() throws {
    var lane = Automation(1)
    try lane.ramp(to: 2, in: .milliseconds(500)..<(.milliseconds(1500)))
    #expect(try changes(lane).dropFirst().allSatisfy { 1...16 ~= $0.length })
  }

  @Test func `a curve of steps holds the first value until the end`() throws {
    var lane = Automation(0)
    try lane.ramp(from: 1, to: 2, in: .milliseconds(500)..<(.milliseconds(1500)), curve: .step)
    #expect(
      try changes(lane) == [
        .init(frame: 0, value: 0, length: 0), .init(frame: 500, value: 1, length: 0),
        .init(frame: 1500, value: 2, length: 0),
      ])
  }

  @Test func `a choice is sent when it changes, and crossfades`() throws {
    var lane = Automation(0)
    try lane.ramp(to: 2, in: .milliseconds(500)..<(.milliseconds(1500)))
    let all = try changes(lane, isWhole: true)
    var values: [Float] = []
    for change in all where change.value != values.last { values.append(change.value) }
    #expect(values == [0, 1, 2])
    #expect(all.count <= 5 && all.dropFirst().allSatisfy { $0.length == -1 })
  }

  @Test(arguments: laneBlockSizes)
  func `the latency before a parameter delays its lane`(block: Int) throws {
    var lane = Automation(0.25)
    try lane.set(0.75, at: .milliseconds(500))
    let all = try changes(lane, latency: 300, block: block)
    #expect(all.last == .init(frame: 800, value: 0.75, length: -1))
  }
}
