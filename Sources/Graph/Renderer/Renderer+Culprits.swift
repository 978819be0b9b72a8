// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import SwiftletSignal

/// The search for the node whose output mutes a playback node.
struct CulpritHunt: BitwiseCopyable {
  /// For how many frames more the outputs of all nodes are searched.
  var framesLeft = 0
  /// Whether the playback node is muted already. Until then a node that is found is only suspected: a short peak may pass.
  var isMuted = false
  /// The slot of the playback node.
  var output: Int32 = -1
  /// The slot of the first node in line that was found.
  var suspect: Int32?

  @_noLocks @_noAllocation init() {}

  @_noLocks @_noAllocation init(for frames: Int, output: Int32, isMuted: Bool) {
    framesLeft = frames
    self.output = output
    self.isMuted = isMuted
  }

  var isUnderWay: Bool { @_noLocks @_noAllocation get { suspect == nil ? framesLeft > 0 : false } }

  /// Some frames have been rendered.
  @_noLocks @_noAllocation mutating func pass(_ frameCount: Int) {
    guard framesLeft > 0 else { return }
    framesLeft -= frameCount
    if framesLeft <= 0 { self = CulpritHunt() }
  }
}

/// Playback nodes, and what mutes them. Audio thread.
extension Renderer {
  /// Carries a block to a playback node, and reports why that is muted.
  @_noLocks @_noAllocation func send(_ step: UnsafePointer<Step>, _ block: Block) {
    guard let processor = unsafe step.pointee.processor else { return }
    let fault = unsafe guarded(processor, block), output = unsafe step.pointee.slot
    if fault.isSuspicion, unsafe state.pointee.hunt.framesLeft <= 0 {
      // By the time the playback node is muted, the sound may be over.
      unsafe state.pointee.hunt = CulpritHunt(for: Int(sampleRate / 20), output: output, isMuted: false)
    }
    guard fault.isReal else { return }
    _ = reports.push(
      Report(kind: .muted, slot: output, frame: block.frame, count: fault.code))
    // A node that was too loud for another playback node, or before a sample was no number, explains nothing.
    let isKnown = fault.isLoud ? unsafe state.pointee.hunt.output == output : false
    if isKnown, let suspect = unsafe state.pointee.hunt.suspect {
      accuse(suspect, at: block.frame)
    } else {
      unsafe state.pointee.hunt = CulpritHunt(for: Int(sampleRate), output: output, isMuted: true)
    }
  }

  @_semantics("no_performance_analysis")
  private func guarded(_ processor: UnsafeRawPointer, _ block: Block) -> OutputGuard.Fault {
    unsafe Unmanaged<OutputGuard>.fromOpaque(processor)._withUnsafeGuaranteedRef { $0.run(block) }
  }

  /// Looks for the first node in a cycle whose output is too loud or is not a number.
  @_noLocks @_noAllocation func hunt(_ block: Block, slot: Int32) {
    for index in 0..<block.outputCount {
      let bus = block.output(bus: index)
      for channel in 0..<bus.channelCount {
        let samples = bus[channel]
        for frame in 0..<samples.count where !(abs(samples[frame]) <= tooLoud) {
          if unsafe state.pointee.hunt.isMuted { return accuse(slot, at: block.frame + Int64(frame)) }
          unsafe state.pointee.hunt.suspect = slot
          return
        }
      }
    }
  }

  @_noLocks @_noAllocation private func accuse(_ slot: Int32, at frame: Int64) {
    _ = reports.push(Report(kind: .culprit, slot: slot, frame: frame))
    unsafe state.pointee.hunt = CulpritHunt()
  }
}
