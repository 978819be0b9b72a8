// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

package import SwiftletGraph
package import SwiftletStretch
internal import SwiftletTimeline

/// Which frame of a sound is heard at which frame of a timeline, where its speed follows lanes: the integral of the
/// speed, from the start of the timeline on.
///
/// Made once for its lanes, then read by any thread but the audio thread.
package final class SpeedCourse: Sendable {
  /// A stretch of the timeline in which the speed is as good as a parabola.
  private struct Step {
    /// Its first frame, the frame of the sound there, and how many go by there and at its end.
    var start: Double, place: Double, from: Double, to: Double, length: Double

    /// The frame of the sound, so many frames on: the cubic that has both places and both speeds.
    func place(after frames: Double, _ gain: Double) -> Double {
      guard length.isFinite else { return place + frames * from }
      let x = frames / length, y = x * x, z = y * x
      return place + (z - 2 * y + x) * length * from + (3 * y - 2 * z) * gain + (z - y) * length * to
    }
  }

  private let steps: [Step]
  private let speed: AutomationTable, varispeed: AutomationTable, pitch: AutomationTable
  private let pacesSpeed: Bool
  private let loop: TimelineLoop?

  /// How long a step is, in frames, and how many there are at most of a ramp.
  private static let stepFrames = 64, mostSteps = 1 << 16

  /// - Parameters:
  ///   - lanes: what moves.
  ///   - base: what does not.
  package init(_ lanes: StreamSource.Lanes, _ base: Stretch, sampleRate: Double) {
    func table(_ lane: Automation?, _ value: Double) -> AutomationTable {
      AutomationTable(lane ?? Automation(Float(value)), sampleRate: sampleRate)
    }
    speed = table(lanes.speed, base.speed)
    varispeed = table(lanes.varispeed, base.varispeed)
    pitch = table(lanes.pitch, base.pitch)
    // What the mean of a piece differs from its middle is a matter of the one that moves.
    pacesSpeed = lanes.speed != nil
    loop = lanes.loop
    var steps: [Step] = [], frame: Int64 = 0, place = 0.0
    while true {
      let (a, b) = (speed.piece(at: frame), varispeed.piece(at: frame))
      let end = min(a.end, b.end)
      guard end < 1 << 59 else { break }
      let count = Int(end - frame)
      let run = a.isSteady && b.isSteady ? count : max(Self.stepFrames, count / Self.mostSteps)
      var done = 0
      while done < count {
        let length = min(run, count - done), first = frame + Int64(done)
        let from = Self.pace(speed, varispeed, first)
        // The speed just before the end: behind it another piece may begin elsewhere.
        let last = Self.pace(speed, varispeed, first + Int64(length) - 1)
        let before = Self.pace(speed, varispeed, first + Int64(max(length - 2, 0)))
        let to = length > 1 ? last + (last - before) : from
        let middle = Self.pace(speed, varispeed, first + Int64(length / 2))
        steps.append(
          Step(start: Double(first), place: place, from: from, to: to, length: Double(length)))
        // Simpson's rule; an odd step has its middle half a frame before.
        let half = Double(length / 2), rest = Double(length) - half
        place +=
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
        start: Double(frame), place: place, from: Self.pace(speed, varispeed, frame), to: 0,
        length: .infinity))
    self.steps = steps
  }

  private static func pace(
    _ speed: borrowing AutomationTable, _ varispeed: borrowing AutomationTable, _ frame: Int64
  ) -> Double {
    Stretch(speed: Double(speed.value(at: frame)), varispeed: Double(varispeed.value(at: frame))).advance
  }

  /// The frame of the sound that belongs to a frame of the timeline; before its start the first speed goes on.
  package func place(at frame: Double) -> Double {
    guard let loop, frame >= Double(loop.end) else { return placeInOneTurn(at: frame) }
    let length = Double(loop.length), turns = ((frame - Double(loop.start)) / length).rounded(.down)
    return placeInOneTurn(at: frame - turns * length) + turns * gain(of: loop)
  }

  /// How many frames of the sound a turn of a loop has.
  private func gain(of loop: TimelineLoop) -> Double {
    placeInOneTurn(at: Double(loop.end)) - placeInOneTurn(at: Double(loop.start))
  }

  private func placeInOneTurn(at frame: Double) -> Double {
    guard frame >= 0 else { return frame * steps[0].from }
    let index = index { $0.start <= frame }
    return steps[index].place(after: frame - steps[index].start, gain(index))
  }

  /// The frame of the timeline at which a frame of the sound is heard.
  package func frame(of place: Double) -> Double {
    guard let loop, place >= placeInOneTurn(at: Double(loop.end)) else { return frameInOneTurn(of: place) }
    let turns = ((place - placeInOneTurn(at: Double(loop.start))) / gain(of: loop)).rounded(.down)
    return frameInOneTurn(of: place - turns * gain(of: loop)) + turns * Double(loop.length)
  }

  private func frameInOneTurn(of place: Double) -> Double {
    guard place >= 0 else { return place / steps[0].from }
    let index = index { $0.place <= place }, step = steps[index]
    guard step.length.isFinite else { return step.start + (place - step.place) / step.from }
    var low = 0.0, high = step.length
    // The speed is never 0, so the place only grows: halved until it is nearer than can be heard.
    for _ in 0..<40 where high - low > 1e-6 {
      let middle = (low + high) / 2
      if step.place(after: middle, gain(index)) <= place { low = middle } else { high = middle }
    }
    return step.start + (low + high) / 2
  }

  /// How it plays at a frame of the timeline, with the speed that a piece around it has on the whole.
  func stretch(at frame: Double, advance: Double? = nil) -> Stretch {
    let frame = loop.place(of: Int64(min(max(frame, 0), 0x1p59).rounded()))
    let now = Stretch(
      speed: Double(speed.value(at: frame)), varispeed: Double(varispeed.value(at: frame)),
      pitch: Double(pitch.value(at: frame)))
    guard let advance else { return now }
    return pacesSpeed
      ? Stretch(speed: advance / now.varispeed, varispeed: now.varispeed, pitch: now.pitch)
      : Stretch(speed: now.speed, varispeed: advance / now.speed, pitch: now.pitch)
  }

  /// How many frames of the sound a step has.
  private func gain(_ index: Int) -> Double {
    index + 1 < steps.count ? steps[index + 1].place - steps[index].place : 0
  }

  /// The last step of which something holds, found by halving.
  private func index(where isAtLeast: (Step) -> Bool) -> Int {
    var low = 0, high = steps.count
    while high - low > 1 {
      let middle = (low + high) / 2
      if isAtLeast(steps[middle]) { low = middle } else { high = middle }
    }
    return low
  }
}
