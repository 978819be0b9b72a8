// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import CSwiftletRealtime
internal import SwiftletSignal

extension Reverb {
  /// Processes at most a slice, in which all control values are interpolated linearly.
  @_noLocks @_noAllocation mutating func work(_ block: Block) {
    let count = block.frameCount, left = unsafe memory.left, right = unsafe memory.right
    let shares = unsafe memory.shares + elapsed, fade = unsafe memory.fade
    readInput(block.input(), count)
    unsafe tone.run(left, right, count: count, low: lowShare, high: highShare)
    unsafe Self.hold(back: &leftLine, left, preDelay, count, memory.second)
    unsafe Self.hold(back: &rightLine, right, preDelay, count, memory.second)
    unsafe leftDiffuser.run(left, count: count, gains: gains, shares: shares)
    unsafe rightDiffuser.run(right, count: count, gains: gains, shares: shares)
    unsafe reflections.write(left, right, count: count)
    if size.isFading { unsafe size.fade.fill(fade, count: count) }
    if mean.isFading { unsafe mean.fade.fill(memory.lineFade, count: count) }
    let lineFade = unsafe mean.isFading ? memory.lineFade : nil
    unsafe network.run(left, right, count: count, shares: shares, fade: lineFade)
    levels.fill(memory, count: count)
    for channel in 0..<outputCount { unsafe computeWet(channel, count, lineFade) }
    writeOutput(block, count)
  }

  /// Mixes the input channels to both sides. If the input is mono, its dry signal is stored for both outputs.
  @_noLocks @_noAllocation private func readInput(_ source: InputBus, _ count: Int) {
    let left = unsafe memory.left, right = unsafe memory.right
    unsafe Self.take(source[0], left, count)
    guard inputCount > 1 else {
      unsafe rt_copy_floats(right, left, count)
      return unsafe rt_copy_floats(memory.dry, left, count)
    }
    unsafe Self.take(source[1], right, count)
    guard inputCount > 2 else { return }
    for channel in 2..<inputCount {
      let side = unsafe channel % 2 == 0 ? left : right
      for frame in 0..<count { unsafe side[frame] += source[channel][clean: frame] }
    }
    let evens = 1 / rt_sqrt(Float((inputCount + 1) / 2)), odds = 1 / rt_sqrt(Float(inputCount / 2))
    for frame in 0..<count {
      unsafe left[frame] *= evens
      unsafe right[frame] *= odds
    }
  }

  /// Copies samples; invalid ones become 0.
  @_noLocks @_noAllocation private static func take(
    _ source: Samples, _ sink: UnsafeMutablePointer<Float>, _ count: Int
  ) {
    var frame = 0
    while frame + 8 <= count {
      unsafe sink[eightFrom: frame] = source[cleanEightFrom: frame]
      frame += 8
    }
    while frame < count {
      unsafe sink[frame] = source[clean: frame]
      frame += 1
    }
  }

  /// Applies the pre-delay to `samples` in place. `points` contains one slice more than the pre-delay.
  @_noLocks @_noAllocation private static func hold(
    back line: inout DelayLine, _ samples: UnsafeMutablePointer<Float>, _ points: ReadPoints, _ count: Int,
    _ second: UnsafeMutablePointer<Float>
  ) {
    unsafe line.write(samples, count: count)
    unsafe points.read(line, samples, count: count, other: second, shift: count - sliceLength)
  }

  /// Computes reflections and tail of one channel.
  @_noLocks @_noAllocation @unsafe
  private mutating func computeWet(_ channel: Int, _ count: Int, _ lineFade: UnsafeMutablePointer<Float>?) {
    let wet = unsafe memory.wet + channel * Self.sliceLength
    unsafe network.mixOutput(channel, into: wet, count: count, gains: memory.late, fade: lineFade)
    guard levels.hasReflections else { return }
    let mean = Self.seconds(size.delay)
    guard size.isFading else {
      return unsafe reflections.add(to: wet, channel, mean: mean, count: count, gains: memory.early)
    }
    for frame in 0..<count {
      unsafe memory.earlyNew[frame] = memory.early[frame] * memory.fade[frame]
      unsafe memory.earlyOld[frame] = memory.early[frame] - memory.earlyNew[frame]
    }
    unsafe reflections.add(to: wet, channel, mean: mean, count: count, gains: memory.earlyOld)
    unsafe reflections.add(
      to: wet, channel, mean: Self.seconds(size.next), count: count, gains: memory.earlyNew)
  }

  /// Applies the stereo width to each pair of channels, and adds the dry signal.
  @_noLocks @_noAllocation private func writeOutput(_ block: Block, _ count: Int) {
    let source = block.input(), sink = block.output(), isWhole = count % 8 == 0
    for channel in 0..<outputCount {
      // Stores of eight floats would pass the end of a shorter slice.
      let sum = unsafe isWhole ? sink[channel].unsafeBase : memory.second
      if inputCount > 1 { unsafe Self.take(source[channel], memory.dry, count) }
      let isPaired = channel ^ 1 < outputCount
      let near = unsafe isPaired ? memory.near : memory.whole,
        far = unsafe isPaired ? memory.far : memory.silence
      let own = unsafe memory.wet + channel * Self.sliceLength
      let other = unsafe memory.wet + (isPaired ? channel ^ 1 : channel) * Self.sliceLength
      var frame = 0
      while frame < count {
        let wet =
          unsafe near[eightFrom: frame] * own[eightFrom: frame] + far[eightFrom: frame]
          * other[eightFrom: frame]
        unsafe sum[eightFrom: frame] = memory.dry[eightFrom: frame] * memory.dryLevel[eightFrom: frame] + wet
        frame += 8
      }
      if !isWhole { unsafe rt_copy_floats(sink[channel].unsafeBase, sum, count) }
    }
  }
}
