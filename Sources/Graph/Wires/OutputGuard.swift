// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import SwiftletSignal
import Synchronization

/// The level that counts as too loud, as a factor: +20 dBFS.
var tooLoud: Float { @_noLocks @_noAllocation get { 10 } }

/// Protects an output node's listeners and loudspeakers.
///
/// The first sound fades in over 300 ms. On a sample that is NaN or infinite, or a level above +20 dBFS for 10 ms,
/// the output is muted within 5 ms, and stays muted until ``requestOpen()``.
@safe final class OutputGuard: Processor, @unchecked Sendable {
  /// The reason for muting an output node.
  enum Fault: Int64, Sendable {
    case none = 0
    /// A sample is NaN or infinite.
    case notANumber = 1
    /// The level was above +20 dBFS for 10 ms.
    case tooLoud = 2
    /// The level is above +20 dBFS, but not for 10 ms yet; nothing is muted.
    case suspicion = 3

    /// The raw value, accessible on the audio thread.
    var code: Int64 { @_noLocks @_noAllocation get { rawValue } }
    /// Whether the fault mutes the output node.
    var isReal: Bool { @_noLocks @_noAllocation get { 1...2 ~= rawValue } }
    var isLoud: Bool { @_noLocks @_noAllocation get { rawValue == 2 } }
    var isSuspicion: Bool { @_noLocks @_noAllocation get { rawValue == 3 } }
  }

  private struct State: BitwiseCopyable {
    var level = Ramp(0)
    /// The loudness that others allow, as a factor.
    var loudness = Ramp(1)
    var hasStarted = false
    var isMuted = false
    var loudSince: Int64 = 0, lastLoud = Int64.min / 2
  }

  private let state: UnsafeMutablePointer<State>
  /// The last valid sample of each channel, from which the fade starts after an invalid one.
  private let held: UnsafeMutablePointer<Float>
  private let fadeFrames: Int, muteFrames: Int, duckFrames: Int, loudFrames: Int64
  /// The target loudness, as the bits of a factor.
  private let loudness = Atomic(Float(1).bitPattern)
  private let fault = Atomic<Int64>(0)
  /// The request of the control thread: 0 none, 1 open, 2 shut.
  private let request = Atomic<Int>(0)

  /// Creates a guard for `channels` at `sampleRate`; `fadesIn` enables the first fade-in.
  init(channels: Int, sampleRate: Double, fadesIn: Bool) {
    unsafe state = .allocate(capacity: 1)
    unsafe state.initialize(to: State())
    unsafe held = .allocate(capacity: channels)
    unsafe held.initialize(repeating: 0, count: channels)
    fadeFrames = fadesIn ? Int(sampleRate * 0.3) : 0
    muteFrames = Int(sampleRate * 0.005)
    duckFrames = Int(sampleRate * 0.2)
    loudFrames = Int64(sampleRate * 0.01)
    super.init()
  }

  deinit {
    unsafe state.deallocate()
    unsafe held.deallocate()
  }

  /// Requests unmuting, with a fade-in. Any thread.
  func requestOpen() { request.store(1, ordering: .releasing) }

  /// Requests muting within 5 ms, without a fault. Any thread.
  func requestShut() { request.store(2, ordering: .releasing) }

  /// Mutes immediately, and fades the next sound in. Only while nothing renders.
  func restart() {
    guard unsafe state.pointee.hasStarted, unsafe !state.pointee.isMuted else { return }
    unsafe state.pointee.isMuted = true
    unsafe state.pointee.level = Ramp(0)
    requestOpen()
  }

  /// Sets the loudness factor, 0...1, reached within 200 ms. Any thread.
  func setLoudness(_ factor: Float) { loudness.store(factor.bitPattern, ordering: .relaxed) }

  /// Copies a block to the output node. Audio thread only.
  ///
  /// - Returns: the fault that has just muted the output, a suspicion, or none.
  @_noLocks @_noAllocation func run(_ block: Block) -> Fault {
    let source = block.input(), destination = block.output()
    if unsafe !state.pointee.hasStarted {
      unsafe state.pointee.hasStarted = true
      unsafe state.pointee.level.glide(to: 1, over: fadeFrames)
    }
    // A load costs less than an exchange, and is usually sufficient.
    if request.load(ordering: .relaxed) != 0 { apply(request.exchange(0, ordering: .acquiringAndReleasing)) }
    let wanted = Float(bitPattern: loudness.load(ordering: .relaxed))
    if unsafe wanted != state.pointee.loudness.target {
      unsafe state.pointee.loudness.glide(to: wanted, over: duckFrames)
    }
    let found = inspect(source, at: block.frame)
    if found.isReal { shut(for: found) }
    for channel in 0..<destination.channelCount where channel < source.channelCount {
      carry(source[channel], to: destination[channel], channel: channel)
    }
    unsafe state.pointee.level.skip(block.frameCount)
    unsafe state.pointee.loudness.skip(block.frameCount)
    return found
  }

  @_noLocks @_noAllocation private func apply(_ request: Int) {
    if request == 1, unsafe state.pointee.isMuted {
      let hadFault = fault.exchange(0, ordering: .acquiringAndReleasing) != 0
      unsafe state.pointee.isMuted = false
      unsafe state.pointee.level.glide(to: 1, over: hadFault ? fadeFrames : muteFrames)
    } else if request == 2 {
      shut(for: .none)
    }
  }

  @_noLocks @_noAllocation private func shut(for reason: Fault) {
    unsafe state.pointee.isMuted = true
    unsafe state.pointee.level.glide(to: 0, over: muteFrames)
    if reason.isReal { fault.store(reason.rawValue, ordering: .releasing) }
  }

  @_noLocks @_noAllocation private func inspect(_ source: InputBus, at start: Int64) -> Fault {
    guard fault.load(ordering: .relaxed) == 0 else { return .none }
    var found = Fault.none
    for channel in 0..<source.channelCount {
      let samples = source[channel]
      let reading = samples.reading
      if !reading.isFinite { return .notANumber }
      guard reading.peak > tooLoud else { continue }
      found = .suspicion
      for frame in 0..<samples.count where abs(samples[frame]) > tooLoud {
        let now = start + Int64(frame)
        if unsafe now - state.pointee.lastLoud > loudFrames { unsafe state.pointee.loudSince = now }
        unsafe state.pointee.lastLoud = now
        if unsafe now - state.pointee.loudSince >= loudFrames { return .tooLoud }
      }
    }
    return found
  }

  @_noLocks @_noAllocation private func carry(
    _ source: Samples, to destination: MutableSamples, channel: Int
  ) {
    var level = unsafe state.pointee.level, loudness = unsafe state.pointee.loudness
    let isOpen = level.isMoving ? false : level.target == 1
    let isLoud = loudness.isMoving ? false : loudness.target == 1
    if isOpen ? isLoud : false {
      // Add, since several output nodes may share a number; the renderer has cleared the destination.
      for frame in 0..<destination.count { destination[frame] += source[frame] }
      let last = source[source.count - 1]
      if abs(last) <= tooLoud { unsafe held[channel] = last }
      return
    }
    let isFaulty = fault.load(ordering: .relaxed) != 0
    for frame in 0..<destination.count {
      let factor = level.next() * loudness.next(), sample = source[frame]
      if abs(sample) <= tooLoud { unsafe held[channel] = sample }
      let calm = unsafe held[channel]
      // After a fault the fade starts from the last valid sample; otherwise short peaks may pass.
      if factor != 0 { destination[frame] += (isFaulty ? calm : sample) * factor }
    }
  }
}
