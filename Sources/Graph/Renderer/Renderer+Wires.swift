// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import SwiftletSignal
import SwiftletTimeline

/// Steps other than nodes: wires, fades, feedback, and event input and output. Audio thread only.
extension Renderer {
  @_semantics("no_performance_analysis")
  func wire(_ step: UnsafePointer<Step>, _ block: Block, _ targets: StripTargets) {
    guard let processor = unsafe step.pointee.processor else { return }
    unsafe Unmanaged<WireProcessor>.fromOpaque(processor)._withUnsafeGuaranteedRef {
      unsafe $0.run(block, to: targets, isAdding: step.pointee.kind == .wireAdding)
    }
  }

  @_semantics("no_performance_analysis")
  func bypass(_ step: UnsafePointer<Step>, _ block: Block) {
    guard let processor = unsafe step.pointee.processor else { return }
    unsafe Unmanaged<BypassFader>.fromOpaque(processor)._withUnsafeGuaranteedRef {
      unsafe $0.run(block, target: step.pointee.level, delay: Int(step.pointee.delay))
    }
  }

  @_semantics("no_performance_analysis")
  func fade(
    _ step: UnsafePointer<Step>, _ block: Block, _ plan: UnsafeMutablePointer<PlanMemory>
  ) {
    guard let processor = unsafe step.pointee.processor else { return }
    let group = unsafe plan.pointee.groups[Int(step.pointee.group)]
    let lanes = unsafe plan.pointee.lanes + Int(group.first)
    let late = unsafe Int64(plan.pointee.arrivals[Int(step.pointee.arrival)])
    let isStill = unsafe state.pointee.isStill,
      law = unsafe plan.pointee.stripTargets[Int(step.pointee.strip)].law
    let frame = unsafe (isStill ? state.pointee.timeline : block.frame &+ state.pointee.shift) &- late
    let loop = unsafe state.pointee.loop
    unsafe Unmanaged<Fader>.fromOpaque(processor)._withUnsafeGuaranteedRef {
      // If the timeline loops, a block may contain the loop's end and its beginning.
      var start = 0
      while start < block.frameCount {
        let position = loop.timelineFrame(of: isStill ? frame : frame &+ Int64(start)),
          rest = block.frameCount - start
        let left = isStill ? nil : loop.map { $0.end &- position }
        let count = left.map { min(rest, Int($0)) } ?? rest
        unsafe $0.run(
          count == block.frameCount ? block : block.slice(from: start, count: count), lanes,
          count: Int(group.count), law: law, at: position, isStill: isStill)
        start += count
      }
    }
  }

  @_semantics("no_performance_analysis")
  func feedBack(_ step: UnsafePointer<Step>, _ block: Block) {
    guard let processor = unsafe step.pointee.processor else { return }
    unsafe Unmanaged<FeedbackLine>.fromOpaque(processor)._withUnsafeGuaranteedRef {
      if unsafe step.pointee.kind == .sendBack {
        $0.write(block)
      } else {
        unsafe $0.read(block, delay: Int(step.pointee.delay))
      }
    }
  }

  @_semantics("no_performance_analysis")
  func hold(_ step: UnsafePointer<Step>, _ block: Block) {
    guard let processor = unsafe step.pointee.processor else { return }
    unsafe Unmanaged<EventDelay>.fromOpaque(processor)._withUnsafeGuaranteedRef {
      unsafe $0.run(block, delay: Int(step.pointee.delay))
    }
  }

  @_semantics("no_performance_analysis")
  func carry(_ step: UnsafePointer<Step>, _ block: Block) {
    guard let processor = unsafe step.pointee.processor else { return }
    unsafe Unmanaged<EventWire>.fromOpaque(processor)._withUnsafeGuaranteedRef {
      unsafe $0.run(block, isThere: step.pointee.level != 0)
    }
  }

  @_noLocks @_noAllocation func takeIn(_ block: Block, _ cycle: Cycle, _ number: Int) {
    guard unsafe number < cycle.inputCount, let source = unsafe cycle.inputs[number].events,
      let destination = block.output().events
    else { return }
    copyEvents(source, to: destination, block)
  }

  @_noLocks @_noAllocation func sendOut(_ block: Block, _ cycle: Cycle, _ number: Int) {
    guard unsafe number < cycle.outputCount, let destination = unsafe cycle.outputs[number].events,
      let source = block.input().events
    else { return }
    copyEvents(source, to: destination, block)
  }

  @_noLocks @_noAllocation private func copyEvents(
    _ source: EventBuffer, to destination: EventBuffer, _ block: Block
  ) {
    let end = block.frame + Int64(block.frameCount)
    var next = source.first
    while let event = next {
      if block.frame..<end ~= event.header.frame, unsafe !destination.append(event.header, bytes: event.bytes)
      {
        unsafe state.pointee.droppedEvents += 1
      }
      next = source.next(after: event)
    }
  }
}
