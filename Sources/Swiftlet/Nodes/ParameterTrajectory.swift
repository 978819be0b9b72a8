// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import SwiftletGraph
internal import SwiftletSignal

/// The values of a parameter over time, computed from the ramps that are sent to the audio thread.
struct ParameterTrajectory {
  private struct Move {
    let target: Float, start: Int64
    var length: Int64
    /// Whether the move is the parameter's own smoothing instead of a straight line.
    let isSmooth: Bool
  }

  /// The value before the first move.
  private var initial: Float
  /// The moves that have not ended, by their start.
  private var moves: [Move] = []
  /// Whether the parameter moves along a straight line of amplitudes instead of decibels.
  private let isFader: Bool

  init(from initial: Float, isFader: Bool) {
    self.initial = initial
    self.isFader = isFader
  }

  /// Adds a move that begins at a frame, or now, and removes the moves that have ended. A negative number of frames is
  /// the length of the parameter's own smoothing.
  mutating func move(to target: Float, over frames: Int, at frame: Int64?, now: Int64) {
    let start = max(frame ?? now, now)
    while let first = moves.first {
      let end = moves.count > 1 ? moves[1].start : first.start + first.length
      guard end <= now else { break }
      initial = value(at: end)
      moves.removeFirst()
    }
    let index = moves.firstIndex { $0.start > start } ?? moves.count
    moves.insert(
      Move(target: target, start: start, length: Int64(abs(frames)), isSmooth: frames < 0), at: index)
  }

  /// Ends the moves that have begun, at their targets.
  mutating func end(at now: Int64) {
    for index in moves.indices where moves[index].start <= now { moves[index].length = 0 }
  }

  /// Returns the value at a frame. A move begins at the value that the previous move has reached, as in ``Ramp``.
  func value(at frame: Int64) -> Float {
    var value = initial
    for (index, move) in moves.enumerated() where move.start <= frame {
      let end = index + 1 < moves.count ? min(moves[index + 1].start, frame) : frame
      let passed = end - move.start
      guard passed < move.length else { value = move.target; continue }
      let way = Float(passed) / Float(move.length), part = move.isSmooth ? way * way * (3 - 2 * way) : way
      value =
        isFader
        ? max(
          Decibels.level(line(Decibels.fader(value), Decibels.fader(move.target), part)), Decibels.silence)
        : line(value, move.target, part)
    }
    return value
  }

  private func line(_ start: Float, _ end: Float, _ part: Float) -> Float { start + (end - start) * part }
}

extension EngineCore.Record {
  /// Records that a parameter was sent to a value, over a number of frames, at a frame or now.
  mutating func send(_ value: Float, to number: Int, over frames: Int, at frame: Int64?, now: Int64) {
    let before = values.updateValue(value, forKey: number)
    if courses[number] == nil, frames == 0, frame ?? now <= now { return }
    guard let info = parameters.first(where: { $0.number == number }) else { return }
    var course = courses[number] ?? ParameterTrajectory(from: before ?? info.initial, isFader: isFader(info))
    course.move(to: value, over: info.curve.isWhole ? 0 : frames, at: frame, now: now)
    courses[number] = course
  }

  /// Sets a parameter without a glide, since the audio thread does not run its processor.
  mutating func set(_ value: Float, to number: Int) {
    values[number] = value
    courses[number] = nil
  }

  /// Ends all ramps in progress, since the processor discards them.
  mutating func endRamps(at now: Int64) {
    for number in courses.keys { courses[number]?.end(at: now) }
  }

  /// Whether a parameter of a built-in effect or player glides in amplitude: a level whose range begins at
  /// ``Decibels/silence``. The gain of an equalizer's band has the same range, but glides in decibels; it depends on
  /// the band's type.
  private func isFader(_ info: ParameterInfo) -> Bool {
    plugin == nil && info.unit == .decibels && info.range.lowerBound == Decibels.silence && info.needs == nil
  }
}
