// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import CSwiftletRealtime
internal import SwiftletSignal

/// The levels of a reverb's parts, and their glides.
struct ReverbLevels: BitwiseCopyable {
  private var mix: Float, share: Float, width: Float, loss: Float = 1
  private var dry = Ramp(1), whole = Ramp(0), near = Ramp(0), far = Ramp(0), early = Ramp(0), late = Ramp(0)

  /// Creates levels at rest from the mix, the proportion of the tail, and the width, all from 0 to 1.
  init(mix: Float, late: Float, width: Float) {
    self.mix = mix
    self.width = width
    share = late
    spread(over: 0)
    set(late: late, over: 0)
  }

  /// Whether reflections are audible.
  var hasReflections: Bool { @_noLocks @_noAllocation get { early.isMoving || early.target > 0 } }

  /// Sets the proportion of the wet signal. Dry and wet signal are largely uncorrelated, so the crossfade has equal
  /// power.
  @_noLocks @_noAllocation mutating func set(mix: Float, over frames: Int) {
    self.mix = mix
    spread(over: frames)
  }

  /// Sets the stereo width, at constant energy.
  @_noLocks @_noAllocation mutating func set(width: Float, over frames: Int) {
    self.width = width
    spread(over: frames)
  }

  /// Sets the proportion of the tail in the wet energy.
  @_noLocks @_noAllocation mutating func set(late: Float, over frames: Int) {
    share = late
    early.glide(to: rt_sqrt(1 - share), over: frames)
    self.late.glide(to: rt_sqrt(share) * loss, over: frames)
  }

  /// Sets the factor that gives the tail the level of the input for a steady signal.
  @_noLocks @_noAllocation mutating func set(loss: Float, over frames: Int) {
    self.loss = loss
    late.glide(to: rt_sqrt(share) * loss, over: frames)
  }

  @_noLocks @_noAllocation private mutating func spread(over frames: Int) {
    let wet = mix < 1 ? rt_sin(.pi / 2 * mix) : 1
    let even = wet / rt_sqrt(2 * (1 + width * width))
    dry.glide(to: mix < 1 ? rt_cos(.pi / 2 * mix) : 0, over: frames)
    whole.glide(to: wet, over: frames)
    near.glide(to: even * (1 + width), over: frames)
    far.glide(to: even * (1 - width), over: frames)
  }

  /// Writes the levels of the next `count` frames.
  @_noLocks @_noAllocation func fill(_ memory: borrowing ReverbMemory, count: Int) {
    unsafe dry.fill(memory.dryLevel, count: count)
    unsafe whole.fill(memory.whole, count: count)
    unsafe near.fill(memory.near, count: count)
    unsafe far.fill(memory.far, count: count)
    unsafe early.fill(memory.early, count: count)
    unsafe late.fill(memory.late, count: count)
  }

  /// Advances by `frames` frames.
  @_noLocks @_noAllocation mutating func skip(_ frames: Int) {
    dry.skip(frames)
    whole.skip(frames)
    near.skip(frames)
    far.skip(frames)
    early.skip(frames)
    late.skip(frames)
  }
}

extension Ramp {
  /// Writes the values of the next `count` frames.
  @_noLocks @_noAllocation @unsafe func fill(_ sink: UnsafeMutablePointer<Float>, count: Int) {
    if isMoving {
      for frame in 0..<count { unsafe sink[frame] = value(after: frame + 1) }
    } else {
      for frame in 0..<count { unsafe sink[frame] = target }
    }
  }
}
