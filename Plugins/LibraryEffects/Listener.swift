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
  enum Parameter: BitwiseCopyable {
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
  @_noLocks @_noAllocation mutating func set(_ parameter: Parameter, to value: Float, over frames: Int) {
    switch parameter {
    case .x: x.glide(to: value, over: frames)
    case .y: y.glide(to: value, over: frames)
    case .z: z.glide(to: value, over: frames)
    case .yaw: Self.glideAngle(&yaw, to: value, over: frames)
    case .pitch: pitch.glide(to: value, over: frames)
    case .roll: Self.glideAngle(&roll, to: value, over: frames)
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
    let yawAngle = Self.radians(yaw, frames), pitchAngle = Self.radians(pitch, frames)
    let rollAngle = Self.radians(roll, frames)
    let sinYaw = Float(rt_sin_double(yawAngle)), cosYaw = Float(rt_cos_double(yawAngle))
    let sinPitch = Float(rt_sin_double(pitchAngle)), cosPitch = Float(rt_cos_double(pitchAngle))
    let sinRoll = Float(rt_sin_double(rollAngle)), cosRoll = Float(rt_cos_double(rollAngle))
    let level = SIMD3(cosYaw, 0, sinYaw)
    let upright = SIMD3(-sinYaw * sinPitch, cosPitch, cosYaw * sinPitch)
    return Head(
      position: SIMD3(x.value(after: frames), y.value(after: frames), z.value(after: frames)),
      right: level * cosRoll - upright * sinRoll, up: upright * cosRoll + level * sinRoll,
      back: SIMD3(-sinYaw * cosPitch, -sinPitch, cosYaw * cosPitch))
  }

  @_noLocks @_noAllocation private static func radians(_ angle: Ramp, _ frames: Int) -> Double {
    Double(angle.value(after: frames)) * (.pi / 180)
  }

  /// Glides to an angle. A multiple of 360° is added to the current angle first, so that the way is at most 180°.
  @_noLocks @_noAllocation
  private static func glideAngle(_ angle: inout Ramp, to value: Float, over frames: Int) {
    let way = value - angle.value
    angle = Ramp(value - (way - 360 * rt_floor((way + 180) / 360)))
    angle.glide(to: value, over: frames)
  }
}

/// A head at one moment: its position, and its right, up and back directions.
struct Head: BitwiseCopyable {
  let position: SIMD3<Float>, right: SIMD3<Float>, up: SIMD3<Float>, back: SIMD3<Float>

  /// Converts a point of the room to the coordinates of the head: right, up and back.
  @_noLocks @_noAllocation func localCoordinates(of point: SIMD3<Float>) -> SIMD3<Float> {
    let way = point - position
    return SIMD3((way * right).sum(), (way * up).sum(), (way * back).sum())
  }
}
