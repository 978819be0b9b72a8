// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import CSwiftletRealtime
internal import SwiftletSignal

/// Where the listener of a room stands, and where they look.
///
/// The room is right-handed: x to the right, y up, z to the back, in metres. The head turns by `yaw` (to the
/// right), then nods by `pitch` (up), then tilts by `roll` (to the right), in degrees; at 0 it looks along
/// −z.
struct Listener: BitwiseCopyable {
  private var x = Ramp(0), y = Ramp(0), z = Ramp(0)
  private var yaw = Ramp(0), pitch = Ramp(0), roll = Ramp(0)

  /// What can be set of a listener.
  enum Knob: BitwiseCopyable {
    case x, y, z, yaw, pitch, roll
  }

  /// Whether the listener moves or turns.
  var isMoving: Bool {
    @_noLocks @_noAllocation get {
      if x.isMoving { return true }
      if y.isMoving { return true }
      if z.isMoving { return true }
      if yaw.isMoving { return true }
      if pitch.isMoving { return true }
      return roll.isMoving
    }
  }

  /// Moves or turns; yaw and roll take the shorter way round.
  @_noLocks @_noAllocation mutating func set(_ knob: Knob, to value: Float, over frames: Int) {
    switch knob {
    case .x: x.glide(to: value, over: frames)
    case .y: y.glide(to: value, over: frames)
    case .z: z.glide(to: value, over: frames)
    case .yaw: Self.turn(&yaw, to: value, over: frames)
    case .pitch: pitch.glide(to: value, over: frames)
    case .roll: Self.turn(&roll, to: value, over: frames)
    }
  }

  /// Steps `frames` on.
  @_noLocks @_noAllocation mutating func skip(_ frames: Int) {
    x.skip(frames)
    y.skip(frames)
    z.skip(frames)
    yaw.skip(frames)
    pitch.skip(frames)
    roll.skip(frames)
  }

  /// Finishes all glides at their targets.
  @_noLocks @_noAllocation mutating func finish() { skip(.max / 2) }

  /// The head as it will be `frames` from now.
  @_noLocks @_noAllocation func head(after frames: Int) -> Head {
    let turn = Self.radians(yaw, frames), nod = Self.radians(pitch, frames), tilt = Self.radians(roll, frames)
    let sinTurn = Float(rt_sin_double(turn)), cosTurn = Float(rt_cos_double(turn))
    let sinNod = Float(rt_sin_double(nod)), cosNod = Float(rt_cos_double(nod))
    let sinTilt = Float(rt_sin_double(tilt)), cosTilt = Float(rt_cos_double(tilt))
    let level = SIMD3(cosTurn, 0, sinTurn)
    let upright = SIMD3(-sinTurn * sinNod, cosNod, cosTurn * sinNod)
    return Head(
      place: SIMD3(x.value(after: frames), y.value(after: frames), z.value(after: frames)),
      right: level * cosTilt - upright * sinTilt, up: upright * cosTilt + level * sinTilt,
      back: SIMD3(-sinTurn * cosNod, -sinNod, cosTurn * cosNod))
  }

  @_noLocks @_noAllocation private static func radians(_ angle: Ramp, _ frames: Int) -> Double {
    Double(angle.value(after: frames)) * (.pi / 180)
  }

  /// Heads for an angle, from the turn of the present one that lies nearest to it.
  @_noLocks @_noAllocation
  private static func turn(_ angle: inout Ramp, to value: Float, over frames: Int) {
    let way = value - angle.value
    angle = Ramp(value - (way - 360 * rt_floor((way + 180) / 360)))
    angle.glide(to: value, over: frames)
  }
}

/// A head at one moment: its place, and the directions that are right, up and back to it.
struct Head: BitwiseCopyable {
  let place: SIMD3<Float>, right: SIMD3<Float>, up: SIMD3<Float>, back: SIMD3<Float>

  /// A point of the room as the head sees it: how far to the right, up and back.
  @_noLocks @_noAllocation func sees(_ point: SIMD3<Float>) -> SIMD3<Float> {
    let way = point - place
    return SIMD3((way * right).sum(), (way * up).sum(), (way * back).sum())
  }
}
