// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import CSwiftletSanitizers
import Foundation
import SwiftletSignal
import Synchronization
import Testing

/// Faults that a sanitizer must report. `Scripts/sanitize` runs one at a time, in a process that must fail: the
/// environment variable `SWIFTLET_PLANTED` names it. Without the variable none is planted.
@Suite struct PlantedFaultTests {
  private static func isPlanted(_ name: String) -> ConditionTrait {
    .enabled(if: ProcessInfo.processInfo.environment["SWIFTLET_PLANTED"] == name, "it is planted on request")
  }

  /// ThreadSanitizer: a ring supports only one writer.
  @Test(isPlanted("ring")) func `two threads that write to one ring race`() {
    final class Shared: Sendable { let ring = FrameRing(channelCount: 1, capacity: 1 << 16) }
    let shared = Shared()
    inTwoThreads {
      for _ in 0..<1000 {
        let samples = shared.ring.writableSamples(of: 0)
        for frame in 0..<min(samples.count, 16) { samples[frame] = 1 }
        // Without the yield, a busy machine may run one thread after the other, and the ring orders them.
        sched_yield()
        shared.ring.commit(min(shared.ring.writable, 16))
      }
    }
  }

  /// ThreadSanitizer: the annotations of contended mutexes must not order threads that hold different mutexes.
  @Test(isPlanted("locks")) func `two threads that hold different mutexes race`() {
    final class Shared: Sendable {
      let first = Mutex(0), second = Mutex(0), starts = Atomic(0)
      nonisolated(unsafe) var total = 0
    }
    let shared = Shared()
    inTwoThreads {
      let isFirst = shared.starts.add(1, ordering: .relaxed).oldValue == 0
      for _ in 0..<1000 {
        if isFirst {
          shared.first.withLock { _ in shared.total += 1 }
        } else {
          shared.second.withLock { _ in shared.total += 1 }
        }
      }
    }
  }

  /// AddressSanitizer, in Swift.
  @Test(isPlanted("swift-overflow")) func `a sample is written past its memory`() {
    let memory = UnsafeMutablePointer<Float>.allocate(capacity: outside(64))
    memory.initialize(repeating: 0, count: outside(64))
    memory[outside(64)] = 1
    memory.deallocate()
  }

  /// AddressSanitizer, in C code.
  @Test(isPlanted("c-overflow")) func `a byte is written past C's memory`() {
    swiftlet_planted_overflow(outside(64))
  }

  /// AddressSanitizer, in a call of the C library that an uninstrumented library could make as well.
  @Test(isPlanted("freed")) func `memory is copied after it was freed`() {
    let memory = UnsafeMutableRawPointer.allocate(byteCount: outside(64), alignment: 8)
    var copy = [UInt8](repeating: 0, count: outside(64))
    memory.deallocate()
    copy.withUnsafeMutableBytes { if let base = $0.baseAddress { _ = memcpy(base, memory, outside(64)) } }
  }

  /// LeakSanitizer, in C code.
  @Test(isPlanted("c-leak")) func `memory allocated in C is leaked`() {
    swiftlet_planted_leak(outside(64))
  }

  /// LeakSanitizer, in Swift.
  @Test(isPlanted("cycle")) func `two objects that retain each other are leaked`() {
    for _ in 0..<10 { PlantedNode.makeCycle() }
  }
}

/// An object that may retain another.
private final class PlantedNode {
  private var other: PlantedNode?

  @inline(never) static func makeCycle() {
    let first = PlantedNode(), second = PlantedNode()
    first.other = second
    second.other = first
  }
}

/// Returns `number`, hidden from the optimiser.
@inline(never) private func outside(_ number: Int) -> Int { number + (getpid() == 0 ? 1 : 0) }
