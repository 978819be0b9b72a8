// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import CSwiftletRealtime
internal import SwiftletSignal

/// One source of an acoustic room: its parameters, its direction from the listener, and its levels.
///
/// Time is divided into segments. At the start of each, the source computes its levels at the end; they are
/// interpolated linearly in between. For any jump of position, a turn by 180° takes at least a fiftieth of a second,
/// and so does a change of the level by its full range. So no jump causes a click.
struct EnvironmentSource: BitwiseCopyable {
  /// The distance within which a source has no lateral direction, in metres: the radius of the head.
  private static var headRadius: Float { @_noLocks @_noAllocation get { 0.1 } }
  /// The minimum time for a turn by 180°, in seconds.
  private static var shortestRotation: Float { @_noLocks @_noAllocation get { 0.02 } }

  private let sampleRate: Double
  private var x = Ramp(0), y = Ramp(0), z = Ramp(-1)
  private var amplitude = Ramp(1), presence = Ramp(1), blend = Ramp(0), headShare = Ramp(0)
  private var obstruction = Ramp(0), occlusion = Ramp(0)
  /// The number of frames until the low-passes have decayed by 140 dB. It is computed when a parameter changes, since
  /// the computation is expensive and the value is read after each change.
  private(set) var tail = 0

  /// The levels at the start of the segment and at its end.
  private(set) var from = SourceLevels(), to = SourceLevels()
  /// The direction at the start of the segment and at its end, as unit vectors in the coordinates of the head.
  private(set) var facing = SIMD3<Float>(0, 0, -1), target = SIMD3<Float>(0, 0, -1)
  /// Whether the direction or level at the end of the segment has not reached its target.
  private var isBehind = false

  /// Creates a source with its default values.
  init(sampleRate: Double) { self.sampleRate = sampleRate }

  /// The values that all sources share.
  struct Room: BitwiseCopyable {
    /// The head at the end of the segment, and the attenuation with distance.
    let head: Head, law: DistanceLaw
    /// The gain of both outputs, and the additional gain of the reverb send.
    let gain: Float, reverb: Float

    // An explicit initializer, because synthesized ones carry no annotations.
    @_noLocks @_noAllocation init(head: Head, law: DistanceLaw, gain: Float, reverb: Float) {
      self.head = head
      self.law = law
      self.gain = gain
      self.reverb = reverb
    }
  }

  /// Sets a parameter.
  @_noLocks @_noAllocation
  mutating func set(_ parameter: Environment.SourceParameter, to value: Float, over frames: Int) {
    switch parameter {
    case .x: x.glide(to: value, over: frames)
    case .y: y.glide(to: value, over: frames)
    case .z: z.glide(to: value, over: frames)
    case .gain: amplitude.glide(to: Decibels.fader(value), over: frames)
    case .rendering: headShare.glide(to: value >= 0.5 ? 1 : 0, over: frames)
    case .reverbBlend: blend.glide(to: value / 100, over: frames)
    case .obstruction:
      obstruction.glide(to: value, over: frames)
      tail = ring(occlusion.target) + ring(value)
    case .occlusion:
      occlusion.glide(to: value, over: frames)
      tail = ring(value) + ring(obstruction.target)
    case .enabled: presence.glide(to: value >= 0.5 ? 1 : 0, over: frames)
    }
  }

  /// Whether a value is moving.
  var isMoving: Bool {
    @_noLocks @_noAllocation get {
      if isBehind { return true }
      if !from.equals(to) { return true }
      if x.isMoving { return true }
      if y.isMoving { return true }
      if z.isMoving { return true }
      if amplitude.isMoving { return true }
      if presence.isMoving { return true }
      if blend.isMoving { return true }
      if headShare.isMoving { return true }
      if obstruction.isMoving { return true }
      return occlusion.isMoving
    }
  }

  /// Whether the HRTF rendering is in use or will be.
  var usesHRTF: Bool { @_noLocks @_noAllocation get { max(headShare.value, headShare.target) > 0 } }

  /// Finishes all glides at their targets.
  @_noLocks @_noAllocation mutating func finish() { skip(.max / 2) }

  /// Advances by `frames` frames.
  @_noLocks @_noAllocation mutating func skip(_ frames: Int) {
    x.skip(frames)
    y.skip(frames)
    z.skip(frames)
    amplitude.skip(frames)
    presence.skip(frames)
    blend.skip(frames)
    headShare.skip(frames)
    obstruction.skip(frames)
    occlusion.skip(frames)
  }

  /// Computes direction and levels after a segment of `frames` frames.
  ///
  /// - Parameter atOnce: whether the values apply at once, since no frame has been processed yet.
  @_noLocks @_noAllocation mutating func begin(_ room: Room, over frames: Int, atOnce: Bool) {
    let position = SIMD3(x.value(after: frames), y.value(after: frames), z.value(after: frames))
    let local = room.head.localCoordinates(of: position), distance = rt_sqrt((local * local).sum())
    // Within the head there is no direction; the last one is kept.
    let last = atOnce ? SIMD3(0, 0, -1) : facing
    let wanted = distance > 1e-6 ? local / distance : last
    let step = atOnce ? 2 : Float(frames) / (Self.shortestRotation * Float(sampleRate))
    target = step >= 1 ? wanted : Self.rotated(facing, to: wanted, by: .pi * step)
    let nearness = room.law.gain(at: distance, after: frames)
    let focus = min(distance / Self.headRadius, 1)
    to[.nearness] = min(max(nearness, from[.nearness] - step), from[.nearness] + step)
    to[.focus] = min(max(focus, from[.focus] - step), from[.focus] + step)
    isBehind = Self.differ(wanted, target) || to[.nearness] != nearness || to[.focus] != focus
    if atOnce { isBehind = false }
    setLevels(room, frames)
    guard atOnce else { return }
    from = to
    facing = target
  }

  /// Ends the segment, or interrupts it after the proportion `share`.
  @_noLocks @_noAllocation mutating func end(at share: Float) {
    guard share < 1 else {
      from = to
      facing = target
      return
    }
    from = from.mixed(with: to, share)
    let between = facing + (target - facing) * share, length = rt_sqrt((between * between).sum())
    facing = length > 1e-3 ? between / length : target
  }

  @_noLocks @_noAllocation private mutating func setLevels(_ room: Room, _ frames: Int) {
    let wet = blend.value(after: frames), ears = headShare.value(after: frames)
    let loud = room.gain * amplitude.value(after: frames) * presence.value(after: frames) * to[.nearness]
    let direct = loud * (1 - wet), plain = direct * (1 - ears)
    // With s as the sine of the angle to the side, √((1 ± s) / 2) are cosine and sine of half the angle from the left;
    // their squares add up to 1. Sources behind or above are rendered like sources in front with the same s.
    let side = min(max(target.x * to[.focus], -1), 1)
    to[.left] = plain * rt_sqrt((1 - side) / 2)
    to[.right] = plain * rt_sqrt((1 + side) / 2)
    to[.head] = direct * ears
    to[.reverb] = loud * wet * room.reverb
    to[.occlusion] = Float(share(occlusion.value(after: frames)))
    to[.obstruction] = Float(share(obstruction.value(after: frames)))
  }

  /// Returns the coefficient of a one-pole low-pass whose gain at 5 kHz is `decibels`.
  ///
  /// Such a filter has |H|² = (1 − b)² / (1 − 2b·cos ω + b²), which is solved for b. If 5 kHz is above 0.45 of the
  /// sample rate, that frequency is used instead.
  @_noLocks @_noAllocation private func share(_ decibels: Float) -> Double {
    guard decibels < 0 else { return 1 }
    let power = Decibels.power(Double(decibels))
    let cosine = rt_cos_double(min(2 * .pi * 5000 / sampleRate, 0.9 * .pi))
    // 1 − b, in a form without a difference of two nearly equal numbers.
    let rise = power * (1 - cosine), root = rt_sqrt_double(rise * (2 - power * (1 + cosine)))
    return min(max((root - rise) / max(1 - power, 1e-12), 0), 1)
  }

  @_noLocks @_noAllocation private func ring(_ decibels: Float) -> Int {
    decibels < 0 ? Int(16.2 / max(share(decibels), 1e-6)) + 1 : 0
  }

  @_noLocks @_noAllocation private static func differ(_ one: SIMD3<Float>, _ other: SIMD3<Float>) -> Bool {
    let way = one - other
    return (way * way).max() > 0
  }

  /// Returns a direction rotated towards another by at most `angle`, in radians.
  @_noLocks @_noAllocation
  private static func rotated(_ one: SIMD3<Float>, to other: SIMD3<Float>, by angle: Float) -> SIMD3<Float> {
    let cosine = (one * other).sum()
    guard cosine < rt_cos(angle) else { return other }
    var way = other - one * cosine
    if (way * way).sum() < 1e-6 {
      // For the opposite direction any axis will do: the x axis, or the y axis if the direction is close to x.
      let axis = abs(one.x) < 0.9 ? SIMD3<Float>(1, 0, 0) : SIMD3<Float>(0, 1, 0)
      way = axis - one * (one * axis).sum()
    }
    let rotated = one * rt_cos(angle) + way / rt_sqrt((way * way).sum()) * rt_sin(angle)
    return rotated / rt_sqrt((rotated * rotated).sum())
  }
}
