// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import SwiftletSignal

/// The gain of a wire, frame by frame, gliding to the plan's targets.
///
/// Trivial data of the audio thread. The fader, the pre-fader gain and the mute gate glide independently: a mute takes
/// effect at once during a long fade, and a fade continues during a mute.
struct WireFader: BitwiseCopyable {
  /// The side of a channel in a stereo bus, and whether the source is mono. Buses of other widths are not panned.
  struct Side: BitwiseCopyable {
    let isPanned: Bool, isRight: Bool, isMono: Bool

    @_noLocks @_noAllocation init(_ channel: Int, of count: Int, isMono: Bool) {
      isPanned = count == 2
      isRight = channel == 1
      self.isMono = isMono
    }
  }

  private var fader: Ramp, preFaderGain: Ramp, gate: Ramp, pan: Ramp
  private var laws: PanLaws, law: Int32

  /// Creates a fader at rest.
  init(at targets: StripTargets) {
    fader = Ramp(targets.fader)
    preFaderGain = Ramp(targets.preFaderGain)
    gate = Ramp(targets.gate)
    pan = Ramp(targets.pan)
    laws = PanLaws(of: Int(targets.law))
    law = targets.law
  }

  /// Whether the factors change from frame to frame.
  var isMoving: Bool {
    @_noLocks @_noAllocation get {
      if fader.isMoving || preFaderGain.isMoving { return true }
      return gate.isMoving || pan.isMoving || laws.isMoving
    }
  }

  /// Whether the fader is silent or fades to silence.
  var isSilent: Bool {
    @_noLocks @_noAllocation get { fader.target == 0 || preFaderGain.target == 0 || gate.target == 0 }
  }

  /// Whether the fader is at rest and changes nothing, if source and destination have the same number of channels.
  var isPlain: Bool {
    @_noLocks @_noAllocation get {
      guard !isMoving, pan.target == 0 || law == Int32(truncatingIfNeeded: PanLaws.nowhere) else {
        return false
      }
      return fader.target == 1 && preFaderGain.target == 1 && gate.target == 1
    }
  }

  /// Starts to glide to a plan's targets; while `isWaiting`, the level stays.
  @_noLocks @_noAllocation mutating func aim(at targets: StripTargets, isWaiting: Bool, fadeFrames: Int) {
    let frames = Self.frames(targets.faderFrames, fadeFrames)
    if !isWaiting {
      Self.move(&fader, to: targets.fader, over: frames)
      let preFaderFrames = Self.frames(targets.preFaderGainFrames, fadeFrames)
      Self.move(&preFaderGain, to: targets.preFaderGain, over: preFaderFrames)
      Self.move(&gate, to: targets.gate, over: -fadeFrames)
    }
    Self.move(&pan, to: targets.pan, over: frames)
    if law != targets.law {
      laws.glide(to: Int(targets.law), over: -fadeFrames)
      law = targets.law
    }
  }

  /// Returns the length of a glide: of the straight fade that was requested, or, negative, of the smoothing of a step.
  @_noLocks @_noAllocation private static func frames(_ requested: Int32, _ fadeFrames: Int) -> Int {
    Int(requested) > fadeFrames ? Int(requested) : -fadeFrames
  }

  /// Makes the pre-fader gain of a send follow a fade of its strip that is under way.
  ///
  /// - Parameters:
  ///   - isPreFader: whether the send ignores the strip's fader.
  ///   - trim: the send's own trim.
  ///   - target: the plan's target. If the strip's fade leads to another value, the send glides to its target on its
  ///     own.
  @_noLocks @_noAllocation
  mutating func join(_ strip: WireFader, isPreFader: Bool, trim: Float, target: Float) {
    let ridden = isPreFader ? Ramp(1) : strip.fader
    let end = trim * strip.preFaderGain.target * ridden.target, off = end - target
    let left =
      strip.preFaderGain.remaining > ridden.remaining ? strip.preFaderGain.remaining : ridden.remaining
    let isSmooth =
      left == ridden.remaining && ridden.isMoving ? ridden.isSmooth : strip.preFaderGain.isSmooth
    let speed = trim * (strip.preFaderGain.speed * ridden.value + strip.preFaderGain.value * ridden.speed)
    preFaderGain = Ramp(trim * strip.preFaderGain.value * ridden.value)
    // The two are products of the same factors in a different order.
    if (off < 0 ? -off : off) <= 1e-6 * target {
      preFaderGain.glide(to: target, over: isSmooth ? -left : left, from: speed)
    }
  }

  /// Starts a glide, unless the ramp already leads to the same target.
  @_noLocks @_noAllocation private static func move(_ ramp: inout Ramp, to target: Float, over frames: Int) {
    if ramp.target != target { ramp.glide(to: target, over: frames) }
  }

  /// Returns a channel's gain factor `frames` frames from now.
  @_noLocks @_noAllocation @inline(__always) func factor(_ side: Side, after frames: Int) -> Float {
    let level = fader.value(after: frames) * preFaderGain.value(after: frames) * gate.value(after: frames)
    guard side.isPanned, laws.isMoving || law != Int32(truncatingIfNeeded: PanLaws.nowhere) else {
      return level
    }
    return level
      * laws.factor(
        pan.value(after: frames), isRight: side.isRight, isMono: side.isMono, after: frames)
  }

  /// Advances by `frames` frames.
  @_noLocks @_noAllocation mutating func skip(_ frames: Int) {
    fader.skip(frames)
    preFaderGain.skip(frames)
    gate.skip(frames)
    pan.skip(frames)
    laws.skip(frames)
  }
}
