// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import CSwiftletRealtime
import Foundation
import SwiftletSignal
import Synchronization
import Testing

@testable import SwiftletGraph

/// Exchange of data between two threads at full speed. `make test-tsan` runs these tests under ThreadSanitizer.
@Suite(.serialized) struct ExchangeTests {
  /// Runs `other` on its own thread while `body` runs here, and waits for it to end.
  private func together(_ other: @escaping @Sendable () -> Void, _ body: () -> Void) {
    let done = DispatchSemaphore(value: 0)
    let thread = Thread {
      other()
      done.signal()
    }
    thread.start()
    body()
    done.wait()
  }

  @Test func `records arrive in order and exactly once`() {
    final class Shared: @unchecked Sendable {
      let ring = RecordRing<Int64>(capacity: 64, filler: 0)
    }
    let shared = Shared(), count: Int64 = 200_000
    var next: Int64 = 0, isOrdered = true
    together {
      var sent: Int64 = 0
      while sent < count { if shared.ring.push(sent) { sent += 1 } else { sched_yield() } }
    } _: {
      while next < count {
        guard let record = shared.ring.pop() else {
          sched_yield()
          continue
        }
        isOrdered = isOrdered && record == next
        next += 1
      }
    }
    #expect(isOrdered)
    #expect(shared.ring.pop() == nil)
  }

  @Test func `retracted frames are rewritten before the reader sees them, or not retracted`() {
    final class Shared: Sendable {
      let ring = FrameRing(channelCount: 1, capacity: 1024)
      let taken = Atomic(0), isRead = Atomic(false), isOver = Atomic(false)
    }
    // Each frame holds its index and the number of retractions before it was written.
    let shared = Shared(), most = 8000
    var read = 0, last = 0, isWhole = true
    together {
      var taken = 0, tries = 0
      // The whole loop takes milliseconds, in which the reader may not have been scheduled.
      while (taken < most && tries < 4_000_000) || !shared.isRead.load(ordering: .relaxed) {
        let run = min(shared.ring.writableRun, 200), from = shared.ring.writePosition
        let samples = shared.ring.writableSamples(of: 0)
        for frame in 0..<run { samples[frame] = Float(taken * 1024 + (from + frame) % 1024) }
        shared.ring.commit(run)
        tries += 1
        if taken < most, shared.ring.takeBack(to: shared.ring.readPosition + tries % 160) { taken += 1 }
      }
      shared.taken.store(taken, ordering: .relaxed)
      shared.isOver.store(true, ordering: .releasing)
    } _: {
      while !shared.isOver.load(ordering: .acquiring) {
        shared.ring.claim(48)
        // While the writer retracts frames, fewer may be available for a moment.
        let samples = shared.ring.samples(of: 0), count = min(samples.count, 48)
        for frame in 0..<count {
          let value = Int(samples[frame])
          if value % 1024 != (read + frame) % 1024 || value / 1024 < last { isWhole = false }
          last = value / 1024
        }
        read += shared.ring.skip(count)
        if read > 0 { shared.isRead.store(true, ordering: .relaxed) }
        if count == 0 { sched_yield() }
      }
    }
    #expect(isWhole && read > 0 && shared.taken.load(ordering: .relaxed) == most)
  }

  @Test func `frames that the reader has claimed cannot be retracted`() {
    let ring = FrameRing(channelCount: 1, capacity: 256)
    ring.commit(100)
    ring.claim(40)
    #expect(ring.nextClaims == 80)
    #expect(!ring.takeBack(to: 39) && ring.writePosition == 100)
    #expect(!ring.takeBack(to: 100) && ring.takeBack(to: 40) && ring.writePosition == 40)
    #expect(ring.skip(100) == 40 && !ring.takeBack(to: 20))
  }

  @Test func `frames arrive in order, in blocks of any size`() {
    final class Shared: Sendable {
      let ring = FrameRing(channelCount: 2, capacity: 256)
    }
    let shared = Shared(), count = 400_000
    var isOrdered = true
    together {
      let backendBus = BackendBus(.audio(channels: 2), 100)
      var sent = 0
      while sent < count {
        let block = min(sent % 100 + 1, count - sent)
        for index in 0..<block {
          backendBus.samples(0)[index] = Float(sent + index)
          backendBus.samples(1)[index] = -Float(sent + index)
        }
        let bus = backendBus.bus
        let isKept = withUnsafePointer(to: bus) { bus in
          withUnsafePointer(to: Transport()) { transport in
            var meter: Float = 0
            return withUnsafeMutablePointer(to: &meter) { meter in
              let memory = BlockMemory(
                inputs: bus, inputCount: 1, outputs: bus, outputCount: 0, transport: transport, meters: meter)
              return withUnsafePointer(to: memory) {
                shared.ring.write(Block(over: $0, frameCount: block, frame: 0).input(), from: 0, count: block)
              }
            }
          }
        }
        if isKept { sent += block } else { sched_yield() }
      }
    } _: {
      var taken = 0
      while taken < count {
        let run = shared.ring.readableRun
        guard run > 0 else {
          sched_yield()
          continue
        }
        let left = shared.ring.samples(of: 0), right = shared.ring.samples(of: 1)
        for index in 0..<run {
          isOrdered =
            isOrdered && left[index] == Float(taken + index) && right[index] == -Float(taken + index)
        }
        taken += shared.ring.skip(run)
      }
    }
    #expect(isOrdered)
  }

  //   one ──► scale ──► desk, with a tap: rendered on this thread, edited on the other
  @Test func `a renderer and a control thread that edits its graph have no data race`() throws {
    final class Shared: @unchecked Sendable {
      let rig = Rig(longestBlock: 64)
      let stop = Atomic(false), cycles = Atomic(0)
    }
    let shared = Shared()
    shared.rig.ticks = false
    var sketch = Sketch()
    let one = try sketch.source("one", Plain { $0 = 1 }), output = try sketch.output()
    let scale = try sketch.node("scale", Plain { $0 *= 0.5 })
    try sketch.chain(one, scale, output)
    let sink = TapSink(channelCount: 1, capacity: 1 << 12)
    sketch.taps[try sketch.graph.tap(scale)] = sink
    try shared.rig.play(sketch)
    sink.record()
    var edits = 0, drained = 0, isWhole = true
    together {
      while !shared.stop.load(ordering: .acquiring) {
        shared.rig.renderBlock(64)
        shared.cycles.add(1, ordering: .relaxed)
      }
    } _: {
      var wire = Graph.Wire(from: Endpoint(one), to: Endpoint(scale))
      while shared.cycles.load(ordering: .relaxed) < 20_000 {
        edits += 1
        wire.gain = -Float(edits % 7)
        do {
          try sketch.graph.update(wire)
          if edits % 3 == 0 {
            let extra = try sketch.node("extra", Plain { $0 *= 0.5 })
            try sketch.chain(one, extra, output)
            try shared.rig.play(sketch)
            try sketch.graph.remove(extra)
          }
          try shared.rig.play(sketch)
          try sketch.graph.setBypass(edits % 2 == 0, of: scale)
          try? shared.rig.controller.set(0, of: scale, to: 1, over: 100)
        } catch {
          Issue.record(error)
        }
        for _ in 0..<20 {
          shared.rig.controller.tick()
          drained += sink.drain { run in
            isWhole = isWhole && (run.isLost || (0..<run.count).allSatisfy { run[0][$0] <= 1 })
          }
          _ = shared.rig.controller.takeReports()
          _ = shared.rig.controller.takeSlowest()
        }
        shared.rig.controller.setProfiling(edits % 2 == 0)
        _ = shared.rig.controller.costs()
      }
      shared.stop.store(true, ordering: .releasing)
    }
    #expect(edits > 10 && isWhole)
    #expect(drained > 0)
  }

  @Test func `a meter can be read while it is written`() {
    final class Shared: @unchecked Sendable {
      let processor = Processor(meterCount: 1)
      let transport = UnsafeMutablePointer<Transport>.allocate(capacity: 1)
      let memory = UnsafeMutablePointer<BlockMemory>.allocate(capacity: 1)
      init() {
        transport.initialize(to: Transport())
        let none = UnsafePointer<BusMemory>(bitPattern: 64)!
        memory.initialize(
          to: BlockMemory(
            inputs: none, inputCount: 0, outputs: none, outputCount: 0, transport: transport,
            meters: processor.meterMemory))
      }
      deinit {
        transport.deallocate()
        memory.deallocate()
      }
    }
    let shared = Shared(), count = 200_000
    var last: Float = 0, isRising = true
    together {
      let block = Block(over: shared.memory, frameCount: 1, frame: 0)
      for value in 1...count { block.show(Float(value), on: 0) }
    } _: {
      while last < Float(count) {
        let value = shared.processor.meter(0)
        isRising = isRising && value >= last
        last = value
      }
    }
    #expect(isRising)
  }
}

/// Changes each sample by a function without state.
private final class Plain: Processor, @unchecked Sendable {
  private let change: @Sendable (inout Float) -> Void

  init(_ change: @escaping @Sendable (inout Float) -> Void) {
    self.change = change
    super.init()
  }

  override func process(_ block: Block) {
    rt_third_party_enter()
    defer { rt_third_party_exit() }
    let bus = block.output()
    for frame in 0..<block.frameCount {
      var sample = block.inputCount > 0 ? block.input()[0][frame] : 0
      change(&sample)
      bus[0][frame] = sample
    }
  }
}
