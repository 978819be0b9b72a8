// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import SwiftletSignal

/// The search for the node whose output caused an output node to be muted.
struct FaultSearch: BitwiseCopyable {
  /// The number of frames for which the outputs of all nodes are still searched.
  var framesLeft = 0
  /// Whether the output node is muted already. Until then a node that is found is only a candidate: a short peak may
  /// pass.
  var isMuted = false
  /// The output node's slot.
  var output: Int32 = -1
  /// The slot of the first candidate in the order of steps.
  var candidate: Int32?

  @_noLocks @_noAllocation init() {}

  @_noLocks @_noAllocation init(for frames: Int, output: Int32, isMuted: Bool) {
    framesLeft = frames
    self.output = output
    self.isMuted = isMuted
  }

  var isUnderWay: Bool { @_noLocks @_noAllocation get { candidate == nil ? framesLeft > 0 : false } }

  /// Advances the search by a number of rendered frames.
  @_noLocks @_noAllocation mutating func pass(_ frameCount: Int) {
    guard framesLeft > 0 else { return }
    framesLeft -= frameCount
    if framesLeft <= 0 { self = FaultSearch() }
  }
}

/// Output nodes, and the search for what mutes them. Audio thread only.
extension Renderer {
  /// Sends a block to an output node, and reports the reason if that node is muted.
  @_noLocks @_noAllocation func send(_ step: UnsafePointer<Step>, _ block: Block) {
    guard let processor = unsafe step.pointee.processor else { return }
    let fault = unsafe guarded(processor, block), output = unsafe step.pointee.slot
    if fault.isSuspicion, unsafe state.pointee.search.framesLeft <= 0 {
      // Search now: by the time the output node is muted, the sound may be over.
      unsafe state.pointee.search = FaultSearch(for: Int(sampleRate / 20), output: output, isMuted: false)
    }
    guard fault.isReal else { return }
    _ = reports.push(
      Report(kind: .muted, slot: output, frame: block.frame, count: fault.code))
    // A candidate is not the cause if it was too loud for another output node, or if the fault is a NaN.
    let isKnown = fault.isLoud ? unsafe state.pointee.search.output == output : false
    if isKnown, let candidate = unsafe state.pointee.search.candidate {
      reportCause(candidate, at: block.frame)
    } else {
      unsafe state.pointee.search = FaultSearch(for: Int(sampleRate), output: output, isMuted: true)
    }
  }

  @_semantics("no_performance_analysis")
  private func guarded(_ processor: UnsafeRawPointer, _ block: Block) -> OutputGuard.Fault {
    unsafe Unmanaged<OutputGuard>.fromOpaque(processor)._withUnsafeGuaranteedRef { $0.run(block) }
  }

  /// Searches a cycle for the first node whose output is too loud or is not a number.
  @_noLocks @_noAllocation func searchFault(_ block: Block, slot: Int32) {
    for index in 0..<block.outputCount {
      let bus = block.output(bus: index)
      for channel in 0..<bus.channelCount {
        let samples = bus[channel]
        for frame in 0..<samples.count where !(abs(samples[frame]) <= tooLoud) {
          if unsafe state.pointee.search.isMuted { return reportCause(slot, at: block.frame + Int64(frame)) }
          unsafe state.pointee.search.candidate = slot
          return
        }
      }
    }
  }

  @_noLocks @_noAllocation private func reportCause(_ slot: Int32, at frame: Int64) {
    _ = reports.push(Report(kind: .cause, slot: slot, frame: frame))
    unsafe state.pointee.search = FaultSearch()
  }
}
