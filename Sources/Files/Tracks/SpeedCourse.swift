// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

package import SwiftletPlayback
package import SwiftletStretch
internal import SwiftletTimeline

/// Maps frames of a timeline to frames of a sound whose speed follows lanes: the integral of the speed from the start
/// of the timeline.
///
/// Created once for its lanes, then read by any thread but the audio thread.
package final class SpeedCourse: Sendable {
  /// A part of the timeline in which a parabola approximates the speed.
  private struct Step {
    /// The first timeline frame, the sound frame there, the playback rates at its start and end, and the length.
    var start: Double, soundFrame: Double, from: Double, to: Double, length: Double

    /// Returns the sound frame after `frames` frames: the cubic polynomial that meets both positions and both rates.
    func soundFrame(after frames: Double, _ gain: Double) -> Double {
      guard length.isFinite else { return soundFrame + frames * from }
      let x = frames / length, y = x * x, z = y * x
      return soundFrame + (z - 2 * y + x) * length * from + (3 * y - 2 * z) * gain + (z - y) * length * to
    }
  }

  private let steps: [Step]
  private let speed: AutomationTable, varispeed: AutomationTable, pitch: AutomationTable
  private let pacesSpeed: Bool
  private let loop: TimelineLoop?

  /// The length of a step in frames, and the maximum number of steps of a ramp.
  private static let stepFrames = 64, mostSteps = 1 << 16

  /// - Parameters:
  ///   - lanes: the automated parameters.
  ///   - base: the values of the other parameters.
  package init(_ lanes: StreamSource.Lanes, _ base: Stretch, sampleRate: Double) {
    func table(_ lane: Automation?, _ value: Double) -> AutomationTable {
      AutomationTable(lane ?? Automation(Float(value)), sampleRate: sampleRate)
    }
    speed = table(lanes.speed, base.speed)
    varispeed = table(lanes.varispeed, base.varispeed)
    pitch = table(lanes.pitch, base.pitch)
    // The difference between a step's mean rate and its rate in the middle is attributed to the parameter that is
    // automated.
    pacesSpeed = lanes.speed != nil
    loop = lanes.loop
    var steps: [Step] = [], frame: Int64 = 0, soundFrame = 0.0
    while true {
      let (a, b) = (speed.segment(at: frame), varispeed.segment(at: frame))
      let end = min(a.end, b.end)
      guard end < 1 << 59 else { break }
      let count = Int(end - frame)
      let run = a.isSteady && b.isSteady ? count : max(Self.stepFrames, count / Self.mostSteps)
      var done = 0
      while done < count {
        let length = min(run, count - done), first = frame + Int64(done)
        let from = Self.pace(speed, varispeed, first)
        // The rate just before the end, since the next segment of the lane may start at another value.
        let last = Self.pace(speed, varispeed, first + Int64(length) - 1)
        let before = Self.pace(speed, varispeed, first + Int64(max(length - 2, 0)))
        let to = length > 1 ? last + (last - before) : from
        let middle = Self.pace(speed, varispeed, first + Int64(length / 2))
        steps.append(
          Step(start: Double(first), soundFrame: soundFrame, from: from, to: to, length: Double(length)))
        // Simpson's rule. A step of odd length has its middle half a frame earlier.
        let half = Double(length / 2), rest = Double(length) - half
        soundFrame +=
          length < 4
          ? (from + to) / 2 * Double(length)
          : half == rest
            ? Double(length) / 6 * (from + 4 * middle + to)
            : half * (from + middle) / 2 + rest * (middle + to) / 2
        done += length
      }
      frame = end
    }
    steps.append(
      Step(
        start: Double(frame), soundFrame: soundFrame, from: Self.pace(speed, varispeed, frame), to: 0,
        length: .infinity))
    self.steps = steps
  }

  private static func pace(
    _ speed: borrowing AutomationTable, _ varispeed: borrowing AutomationTable, _ frame: Int64
  ) -> Double {
    Stretch(speed: Double(speed.value(at: frame)), varispeed: Double(varispeed.value(at: frame))).advance
  }

  /// Returns the sound frame at a timeline frame. Before the timeline's start, the first rate continues.
  package func soundFrame(at frame: Double) -> Double {
    guard let loop, frame >= Double(loop.end) else { return soundFrameInOneRepetition(at: frame) }
    let length = Double(loop.length), passes = ((frame - Double(loop.start)) / length).rounded(.down)
    return soundFrameInOneRepetition(at: frame - passes * length) + passes * gain(of: loop)
  }

  /// Returns the number of sound frames in one pass of a loop.
  private func gain(of loop: TimelineLoop) -> Double {
    soundFrameInOneRepetition(at: Double(loop.end)) - soundFrameInOneRepetition(at: Double(loop.start))
  }

  private func soundFrameInOneRepetition(at frame: Double) -> Double {
    guard frame >= 0 else { return frame * steps[0].from }
    let index = index { $0.start <= frame }
    return steps[index].soundFrame(after: frame - steps[index].start, gain(index))
  }

  /// Returns the timeline frame at which a sound frame is heard.
  package func frame(of soundFrame: Double) -> Double {
    guard let loop, soundFrame >= soundFrameInOneRepetition(at: Double(loop.end)) else {
      return frameInOneRepetition(of: soundFrame)
    }
    let start = soundFrameInOneRepetition(at: Double(loop.start))
    let passes = ((soundFrame - start) / gain(of: loop)).rounded(.down)
    return frameInOneRepetition(of: soundFrame - passes * gain(of: loop)) + passes * Double(loop.length)
  }

  private func frameInOneRepetition(of soundFrame: Double) -> Double {
    guard soundFrame >= 0 else { return soundFrame / steps[0].from }
    let index = index { $0.soundFrame <= soundFrame }, step = steps[index]
    guard step.length.isFinite else { return step.start + (soundFrame - step.soundFrame) / step.from }
    var low = 0.0, high = step.length
    // The rate is never 0, so the mapping is monotonic: bisects until the error is inaudible.
    for _ in 0..<40 where high - low > 1e-6 {
      let middle = (low + high) / 2
      if step.soundFrame(after: middle, gain(index)) <= soundFrame { low = middle } else { high = middle }
    }
    return step.start + (low + high) / 2
  }

  /// Returns speed and pitch at a timeline frame. If `advance` is set, the automated rate is adjusted so that the total
  /// is `advance` sound frames per timeline frame.
  func stretch(at frame: Double, advance: Double? = nil) -> Stretch {
    let frame = loop.timelineFrame(of: Int64(min(max(frame, 0), 0x1p59).rounded()))
    let now = Stretch(
      speed: Double(speed.value(at: frame)), varispeed: Double(varispeed.value(at: frame)),
      pitch: Double(pitch.value(at: frame)))
    guard let advance else { return now }
    return pacesSpeed
      ? Stretch(speed: advance / now.varispeed, varispeed: now.varispeed, pitch: now.pitch)
      : Stretch(speed: now.speed, varispeed: advance / now.speed, pitch: now.pitch)
  }

  /// Returns the number of sound frames in a step.
  private func gain(_ index: Int) -> Double {
    index + 1 < steps.count ? steps[index + 1].soundFrame - steps[index].soundFrame : 0
  }

  /// Returns the index of the last step that meets a condition, by binary search.
  private func index(where isAtLeast: (Step) -> Bool) -> Int {
    var low = 0, high = steps.count
    while high - low > 1 {
      let middle = (low + high) / 2
      if isAtLeast(steps[middle]) { low = middle } else { high = middle }
    }
    return low
  }
}
