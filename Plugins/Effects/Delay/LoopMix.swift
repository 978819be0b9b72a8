// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import SwiftletSignal

/// The mixer of a delay: it mixes input and repeats for the output and for the feedback loop.
struct LoopMix: BitwiseCopyable {
  /// The level of a repeat relative to the one before, and the proportion of repeats in the output.
  var feedback: Ramp, mix: Ramp
  /// The proportion of a repeat that changes sides, from 0 to 1, and the side of the first repeat, from 0, left, to 1,
  /// right.
  var alternation = Ramp(0), first = Ramp(0)

  init(feedback: Float, mix: Float) {
    self.feedback = Ramp(feedback)
    self.mix = Ramp(mix)
  }

  /// Whether repeats alternate between the sides.
  var alternates: Bool { @_noLocks @_noAllocation get { alternation.isMoving || alternation.target > 0 } }

  /// Mixes a channel with its repeats in `echo`, and replaces `echo` by the next input of the delay line.
  @_noLocks @_noAllocation @unsafe
  func blend(_ dry: Samples, _ wet: MutableSamples, _ echo: UnsafeMutablePointer<Float>) {
    var frame = 0
    if !feedback.isMoving, !mix.isMoving {
      let again = feedback.target, amount = mix.target, rest = 1 - amount
      while frame + 8 <= dry.count {
        let sample = dry[cleanEightFrom: frame]
        let repeated = unsafe echo[eightFrom: frame]
        unsafe echo[eightFrom: frame] = LoopSaturation.bend(sample + repeated * again)
        unsafe wet.unsafeBase[eightFrom: frame] = sample * rest + repeated * amount
        frame += 8
      }
    }
    while frame < dry.count {
      let sample = dry[clean: frame], repeated = unsafe echo[frame], amount = mix.value(after: frame + 1)
      unsafe echo[frame] = LoopSaturation.bend(sample + repeated * feedback.value(after: frame + 1))
      wet[frame] = sample * (1 - amount) + repeated * amount
      frame += 1
    }
  }

  /// Does the same as ``blend(_:_:_:)`` for two channels between which repeats alternate: the mean of both inputs goes
  /// to the side of the first repeat, and each repeat goes to the opposite side.
  @_noLocks @_noAllocation @unsafe func blendAlternating(
    _ dry: InputBus, _ wet: OutputBus, _ left: UnsafeMutablePointer<Float>,
    _ right: UnsafeMutablePointer<Float>
  ) {
    let dryLeft = dry[0], dryRight = dry[1], wetLeft = wet[0], wetRight = wet[1], count = dryLeft.count
    var frame = 0
    if !feedback.isMoving, !mix.isMoving, !alternation.isMoving, !first.isMoving {
      let again = feedback.target, amount = mix.target, rest = 1 - amount, side = first.target
      while frame + 8 <= count {
        let l = dryLeft[cleanEightFrom: frame]
        let r = dryRight[cleanEightFrom: frame], mean = (l + r) / 2
        let one = unsafe left[eightFrom: frame], other = unsafe right[eightFrom: frame]
        unsafe left[eightFrom: frame] = LoopSaturation.bend((1 - side) * mean + again * other)
        unsafe right[eightFrom: frame] = LoopSaturation.bend(side * mean + again * one)
        unsafe wetLeft.unsafeBase[eightFrom: frame] = l * rest + one * amount
        unsafe wetRight.unsafeBase[eightFrom: frame] = r * rest + other * amount
        frame += 8
      }
    }
    while frame < count {
      let l = dryLeft[clean: frame], r = dryRight[clean: frame], mean = (l + r) / 2
      let across = alternation.value(after: frame + 1), side = first.value(after: frame + 1)
      let amount = mix.value(after: frame + 1), again = feedback.value(after: frame + 1)
      let one = unsafe left[frame], other = unsafe right[frame]
      let intoLeft = (1 - across) * (l + again * one) + across * ((1 - side) * mean + again * other)
      let intoRight = (1 - across) * (r + again * other) + across * (side * mean + again * one)
      unsafe left[frame] = LoopSaturation.bend(intoLeft)
      unsafe right[frame] = LoopSaturation.bend(intoRight)
      wetLeft[frame] = l * (1 - amount) + one * amount
      wetRight[frame] = r * (1 - amount) + other * amount
      frame += 1
    }
  }

  @_noLocks @_noAllocation mutating func skip(_ frames: Int) {
    feedback.skip(frames)
    mix.skip(frames)
    alternation.skip(frames)
    first.skip(frames)
  }

  @_noLocks @_noAllocation mutating func finish() {
    feedback.finish()
    mix.finish()
    alternation.finish()
    first.finish()
  }
}
