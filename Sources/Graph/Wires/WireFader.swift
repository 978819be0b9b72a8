// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import SwiftletSignal

/// What a wire multiplies its sound by, frame by frame, on its way to where plans want it.
///
/// Trivial data of the audio thread. Fader, what leads up to it, and mute glide each on their own, so that a
/// mute is heard at once in the middle of a long fade, and a fade goes on under a mute.
struct WireFader: BitwiseCopyable {
  /// Which side of two a channel is, and whether the sound comes from one channel; else no pan counts.
  struct Side: BitwiseCopyable {
    let isPanned: Bool, isRight: Bool, isMono: Bool

    @_noLocks @_noAllocation init(_ channel: Int, of count: Int, isMono: Bool) {
      isPanned = count == 2
      isRight = channel == 1
      self.isMono = isMono
    }
  }

  private var fader: Ramp, lead: Ramp, gate: Ramp, pan: Ramp
  private var laws: PanLaws, law: Int32

  /// A fader at rest.
  init(at place: WirePlace) {
    fader = Ramp(place.fader)
    lead = Ramp(place.lead)
    gate = Ramp(place.gate)
    pan = Ramp(place.pan)
    laws = PanLaws(of: Int(place.law))
    law = place.law
  }

  /// Whether the factors change from frame to frame.
  var isMoving: Bool {
    @_noLocks @_noAllocation get {
      if fader.isMoving || lead.isMoving { return true }
      return gate.isMoving || pan.isMoving || laws.isMoving
    }
  }

  /// Whether it heads for silence, or is there.
  var isSilent: Bool {
    @_noLocks @_noAllocation get { fader.target == 0 || lead.target == 0 || gate.target == 0 }
  }

  /// Whether it rests where it changes nothing in a sound that has as many channels as where it goes.
  var isPlain: Bool {
    @_noLocks @_noAllocation get {
      guard !isMoving, pan.target == 0 || law == Int32(truncatingIfNeeded: PanLaws.nowhere) else {
        return false
      }
      return fader.target == 1 && lead.target == 1 && gate.target == 1
    }
  }

  /// Heads for where a plan wants it; while it waits, the level stays.
  @_noLocks @_noAllocation mutating func aim(at place: WirePlace, isWaiting: Bool, fadeFrames: Int) {
    let frames = max(Int(place.faderFrames), fadeFrames)
    if !isWaiting {
      Self.move(&fader, to: place.fader, over: frames)
      Self.move(&lead, to: place.lead, over: max(Int(place.leadFrames), fadeFrames))
      Self.move(&gate, to: place.gate, over: fadeFrames)
    }
    Self.move(&pan, to: place.pan, over: frames)
    if law != place.law {
      laws.glide(to: Int(place.law), over: fadeFrames)
      law = place.law
    }
  }

  /// Has what leads up to the fader of a send go along with the fade of its strip that is under way.
  ///
  /// - Parameters:
  ///   - isPreFader: whether the strip's own fader does not count.
  ///   - trim: what the send adds to that.
  ///   - place: where the plan wants it: unless that is where the strip's fade leads, the send heads there by itself.
  @_noLocks @_noAllocation
  mutating func join(_ strip: WireFader, isPreFader: Bool, trim: Float, heading place: Float) {
    let ridden = isPreFader ? Ramp(1) : strip.fader
    let end = trim * strip.lead.target * ridden.target, off = end - place
    let left = strip.lead.remaining > ridden.remaining ? strip.lead.remaining : ridden.remaining
    lead = Ramp(trim * strip.lead.value * ridden.value)
    // Products of the same factors in another order.
    if (off < 0 ? -off : off) <= 1e-6 * place { lead.glide(to: place, over: left) }
  }

  /// Leaves what is under way to the same end alone.
  @_noLocks @_noAllocation private static func move(_ ramp: inout Ramp, to target: Float, over frames: Int) {
    if ramp.target != target { ramp.glide(to: target, over: frames) }
  }

  /// What a channel's sample is multiplied by, so many frames from now.
  @_noLocks @_noAllocation @inline(__always) func factor(_ side: Side, after frames: Int) -> Float {
    let level = fader.value(after: frames) * lead.value(after: frames) * gate.value(after: frames)
    guard side.isPanned, laws.isMoving || law != Int32(truncatingIfNeeded: PanLaws.nowhere) else {
      return level
    }
    return level
      * laws.factor(
        pan.value(after: frames), isRight: side.isRight, isMono: side.isMono, after: frames)
  }

  /// Steps so many frames on.
  @_noLocks @_noAllocation mutating func skip(_ frames: Int) {
    fader.skip(frames)
    lead.skip(frames)
    gate.skip(frames)
    pan.skip(frames)
    laws.skip(frames)
  }
}
