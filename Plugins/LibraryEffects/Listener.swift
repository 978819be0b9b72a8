// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import CSwiftletRealtime
internal import SwiftletSignal

/// The position and orientation of the listener in an acoustic room.
///
/// The coordinates are right-handed: x to the right, y up, z to the back, in metres. The head first turns by `yaw` (to
/// the right), then by `pitch` (up), then tilts by `roll` (to the right), in degrees; at 0 it faces −z.
struct Listener: BitwiseCopyable {
  private var x = Ramp(0), y = Ramp(0), z = Ramp(0)
  private var yaw = Ramp(0), pitch = Ramp(0), roll = Ramp(0)

  /// The values of a listener that can be set.
  enum Knob: BitwiseCopyable {
    case x, y, z, yaw, pitch, roll
  }

  /// Whether a value is gliding.
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

  /// Glides to a value; yaw and roll take the shorter way around.
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

  /// Advances by `frames` frames.
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

  /// Returns the head `frames` frames from now.
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

  /// Glides to an angle. A multiple of 360° is added to the current angle first, so that the way is at most 180°.
  @_noLocks @_noAllocation
  private static func turn(_ angle: inout Ramp, to value: Float, over frames: Int) {
    let way = value - angle.value
    angle = Ramp(value - (way - 360 * rt_floor((way + 180) / 360)))
    angle.glide(to: value, over: frames)
  }
}

/// A head at one moment: its position, and its right, up and back directions.
struct Head: BitwiseCopyable {
  let place: SIMD3<Float>, right: SIMD3<Float>, up: SIMD3<Float>, back: SIMD3<Float>

  /// Converts a point of the room to the coordinates of the head: right, up and back.
  @_noLocks @_noAllocation func sees(_ point: SIMD3<Float>) -> SIMD3<Float> {
    let way = point - place
    return SIMD3((way * right).sum(), (way * up).sum(), (way * back).sum())
  }
}
