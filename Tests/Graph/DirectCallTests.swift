// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import CSwiftletRealtime
import SwiftletSignal
import Testing

@testable import SwiftletGraph

/// Doubles its input, or multiplies it by another factor, as a third-party plugin would: connected to memory, then run.
private final class Doubler: Processor, @unchecked Sendable {
  /// The memory that the function works on, and the number of its calls.
  struct Ports {
    var input: UnsafePointer<Float>?, output: UnsafeMutablePointer<Float>?
    var runs = 0
    var factor: Float
    /// The run from which on each leaves the thread rounding towards zero.
    var firstFaultyRun = Int.max
    /// The number of runs that found the thread rounding so.
    var spoiltRuns = 0
  }

  let ports: UnsafeMutablePointer<Ports>
  let key = DirectCallKey()
  let longest: Int
  private(set) var processed = 0

  init(longest: Int = 1024, factor: Float = 2) {
    self.longest = longest
    ports = .allocate(capacity: 1)
    ports.initialize(to: Ports(factor: factor))
    super.init(cut: .grid)
  }

  deinit { ports.deallocate() }

  /// How often the plan has called the function directly.
  var directCalls: Int { ports.pointee.runs - processed }

  #if arch(x86_64)
    /// Rounds towards zero and keeps denormals.
    private static let faultyMode: UInt64 = 0x7F80
  #else
    private static let faultyMode: UInt64 = 3 << 22
  #endif

  private static let run: DirectCall.Function = { context, frameCount in
    guard let ports = context?.assumingMemoryBound(to: Ports.self), let input = ports.pointee.input,
      let output = ports.pointee.output
    else { return }
    ports.pointee.runs += 1
    if rt_float_mode() == Doubler.faultyMode { ports.pointee.spoiltRuns += 1 }
    for frame in 0..<Int(frameCount) { output[frame] = input[frame] * ports.pointee.factor }
    if ports.pointee.runs >= ports.pointee.firstFaultyRun { rt_set_float_mode(Doubler.faultyMode) }
  }

  override var directCall: DirectCall? {
    DirectCall(Self.run, context: ports, key: key, longestBlock: longest)
  }

  override func process(_ block: Block) {
    processed += 1
    ports.pointee.input = block.input()[0].unsafeBase
    ports.pointee.output = block.output()[0].unsafeBase
    Self.run(ports, UInt32(block.frameCount))
    key.open(for: block)
  }
}

/// Direct calls of a plugin's function, without its processor.
@Suite struct DirectCallTests {
  /// `one ──► doublers ──► last ──► desk`: the ends use the backend's memory or the plan's, the middle the plan's.
  private func rig(_ doublers: [Doubler], around edit: (inout Sketch, [NodeID]) throws -> Void = { _, _ in })
    throws -> (rig: Rig, sketch: Sketch, nodes: [NodeID])
  {
    let rig = Rig()
    var sketch = Sketch()
    var nodes = [try sketch.source("one", Emitter.constant(1))]
    for (index, doubler) in doublers.enumerated() {
      nodes.append(try sketch.node("double-\(index)", doubler))
    }
    nodes.append(try sketch.output())
    for (source, destination) in zip(nodes, nodes.dropFirst()) { try sketch.wire(source, destination) }
    try edit(&sketch, nodes)
    try rig.play(sketch)
    return (rig, sketch, nodes)
  }

  @Test func `a step fits into two cache lines, with its block where the renderer expects it`() {
    #expect(MemoryLayout<Step>.stride == 128)
    #expect(MemoryLayout<Step>.offset(of: \Step.memory) == Step.memoryOffset)
    #expect(MemoryLayout<Step>.offset(of: \Step.memory.addresses) == 56, "in the first line")
  }

  @Test func `the first block is processed, and the others use the direct call`() throws {
    let doublers = [Doubler(), Doubler(), Doubler()]
    let (rig, _, _) = try rig(doublers)
    #expect(rig.render(64 * 10) == Array(repeating: 8, count: 640))
    for doubler in doublers {
      #expect(doubler.processed == 1)
      #expect(doubler.directCalls == 9)
    }
  }

  @Test func `a plan of hundreds of nodes uses the direct calls of all of them`() throws {
    let doublers = (0..<300).map { _ in Doubler(factor: 1) }
    let (rig, _, _) = try rig(doublers)
    #expect((rig.render(64 * 10) == Array(repeating: 1, count: 640)) as Bool)
    #expect(doublers.allSatisfy { $0.processed == 1 && $0.directCalls == 9 })
  }

  @Test func `a direct call that changes the floating-point mode affects at most one block`() throws {
    let doublers = [Doubler(), Doubler(), Doubler()]
    let (rig, _, _) = try rig(doublers)
    let denormals = rt_flush_denormals()
    defer { rt_restore_denormals(denormals) }
    let mode = rt_float_mode()
    doublers[0].ports.pointee.firstFaultyRun = 3
    rig.render(64 * 10)
    #expect(rt_float_mode() == mode)
    #expect(doublers[0].ports.pointee.spoiltRuns == 0)
    #expect(doublers[1].ports.pointee.spoiltRuns <= 1 && doublers[2].ports.pointee.spoiltRuns <= 1)
  }

  @Test func `a closed key has the next block processed, also for one plugin among others`() throws {
    let doublers = [Doubler(), Doubler(), Doubler()]
    let (rig, _, _) = try rig(doublers)
    rig.render(64 * 5)
    doublers[1].key.close()
    #expect(rig.render(64 * 5) == Array(repeating: 8, count: 320))
    #expect(doublers.map(\.processed) == [1, 2, 1])
    #expect(doublers.map(\.directCalls) == [9, 8, 9])
  }

  @Test func `every block is processed while a parameter change is pending`() throws {
    let doubler = Doubler()
    let (rig, _, nodes) = try rig([doubler])
    rig.render(64 * 4)
    try rig.controller.set(0, of: nodes[1], to: 1, over: 0, at: rig.frame + 64 * 3)
    rig.render(64 * 3)
    #expect(doubler.directCalls == 3, "none while one waits")
    rig.render(64 * 3)
    #expect(doubler.directCalls == 5, "the block it is due in was processed")
  }

  @Test func `a block longer than the plugin's limit is processed`() throws {
    let doublers = [Doubler(longest: 64), Doubler()]
    let (rig, _, _) = try rig(doublers)
    rig.render(64 * 3)
    #expect(rig.render(256, block: 128) == Array(repeating: 4, count: 256))
    #expect(doublers.map(\.processed) == [3, 1])
  }

  @Test func `a new plan connects the plugin again`() throws {
    let doubler = Doubler()
    var (rig, sketch, nodes) = try rig([doubler])
    rig.render(64 * 3)
    // The doubler's buffer moves, because another node is inserted before it and takes the buffer.
    let scale = try sketch.node("scale", Scale(3))
    try sketch.unwire(nodes[0], nodes[1])
    try sketch.chain(nodes[0], scale, nodes[1])
    try rig.play(sketch)
    rig.settle()
    let before = doubler.processed
    #expect(rig.render(64 * 4) == Array(repeating: 6, count: 256))
    #expect(doubler.processed <= before + 1)
    #expect(doubler.processed >= 2)
  }

  //   one ──► sum ──► double ──► desk
  //            └◄── half ◄──┘ feedback 16: a block of 64 is four slices, and only the first starts at the memory's base
  @Test func `slices of a loop are not treated as a whole block`() throws {
    let (plain, short) = (Rig(), Rig())
    for (rig, processor) in [(plain, Scale(2) as Processor), (short, Doubler())] {
      var sketch = Sketch()
      let one = try sketch.source("one", Emitter { Float($0 % 7) }), sum = try sketch.mixer("sum")
      let double = try sketch.node("double", processor), half = try sketch.node("half", Scale(0.25)),
        output = try sketch.output()
      try sketch.chain(one, sum, double, output)
      try sketch.wire(double, half)
      try sketch.wire(half, sum, feedback: 16)
      try rig.play(sketch)
    }
    #expect(plain.render(64 * 20) == short.render(64 * 20))
  }
}
