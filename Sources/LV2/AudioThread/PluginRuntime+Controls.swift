// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import CSwiftletRealtime
internal import SwiftletSignal

extension PluginRuntime {
  /// Sets a control input, clamped to its range. Ignores a port that is no parameter, and NaN.
  ///
  /// A ramp advances on the 16-frame grid; each step has the value that its last frame should have.
  @_noLocks @_noAllocation mutating func set(_ port: Int, to value: Float, over frames: Int) {
    guard 0 <= port, port < portCount + propertyCount, controls[port].isParameter, !value.isNaN else {
      return
    }
    var target = min(max(value, controls[port].low), controls[port].high)
    if controls[port].isWhole { target = rt_floor(target + 0.5) }
    controls[port].ramp.glide(to: target, over: frames)
    guard frames > 0 else {
      // A ramp in progress is found to have ended, and leaves the list.
      show(target, of: port)
      return
    }
    guard !controls[port].isMoving else { return }
    controls[port].isMoving = true
    moving[movingCount] = Int32(truncatingIfNeeded: port)
    movingCount += 1
  }

  /// Stores a parameter's value, which control threads read while the plugin plays.
  @_noLocks @_noAllocation private func show(_ value: Float, of port: Int) {
    rt_store_float(values + port, value)
    if port >= portCount { properties[port - portCount].isDirty = true }
  }

  /// Takes over all parameters and the selected program bank from `other`, a runtime of the same plugin. Ramps in
  /// progress continue.
  @_noLocks @_noAllocation mutating func takeControls(from other: UnsafePointer<PluginRuntime>) {
    for port in 0..<portCount where controls[port].isParameter {
      controls[port] = other.pointee.controls[port]
      show(other.pointee.values[port], of: port)
    }
    for property in portCount..<portCount + propertyCount {
      let value = other.pointee.values[property]
      guard !value.isNaN, value != values[property] else { continue }
      controls[property] = other.pointee.controls[property]
      show(value, of: property)
    }
    isBypassed = other.pointee.isBypassed
    programs = other.pointee.programs
    movingCount = other.pointee.movingCount
    for place in 0..<movingCount { moving[place] = other.pointee.moving[place] }
  }

  /// Advances the ramps by a number of frames.
  @_noLocks @_noAllocation mutating func glide(_ frames: Int) {
    var kept = 0
    for place in 0..<movingCount {
      let port = Int(moving[place])
      controls[port].ramp.skip(frames)
      show(controls[port].ramp.value, of: port)
      if controls[port].ramp.isMoving {
        moving[kept] = moving[place]
        kept += 1
      } else {
        controls[port].isMoving = false
      }
    }
    movingCount = kept
  }

  /// Ends every ramp at its target.
  @_noLocks @_noAllocation mutating func finishGlides() {
    for place in 0..<movingCount { controls[Int(moving[place])].ramp.finish() }
    glide(0)
  }
}
