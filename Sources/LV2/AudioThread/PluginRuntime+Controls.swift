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

  /// Stores a value of a restored state for ``takeRestored()``. Ignores a port that is no parameter. Control threads
  /// only, while the audio thread does not use the plugin.
  func restore(_ number: Int, to value: Float) {
    guard 0 <= number, number < portCount + propertyCount, controls[number].isParameter else { return }
    restored[number] = value
  }

  /// Discards the values of a restored state that are not in effect yet. Control threads only, as ``restore(_:to:)``.
  func clearRestored() { restored.update(repeating: .nan, count: portCount + propertyCount) }

  /// Sets the parameters to the values of a restored state.
  @_noLocks @_noAllocation mutating func takeRestored() {
    for number in 0..<portCount + propertyCount where !restored[number].isNaN {
      set(number, to: restored[number], over: 0)
      restored[number] = .nan
    }
  }

  /// Takes over the selected program bank and all parameters that no restored state sets from `other`, a runtime of the
  /// same plugin. Ramps in progress continue.
  @_noLocks @_noAllocation mutating func takeControls(from other: UnsafePointer<PluginRuntime>) {
    for port in 0..<portCount where controls[port].isParameter && restored[port].isNaN {
      controls[port] = other.pointee.controls[port]
      show(other.pointee.values[port], of: port)
    }
    for property in portCount..<portCount + propertyCount {
      let value = other.pointee.values[property]
      guard restored[property].isNaN, !value.isNaN, value != values[property] else { continue }
      controls[property] = other.pointee.controls[property]
      show(value, of: property)
    }
    isBypassed = other.pointee.isBypassed
    programs = other.pointee.programs
    movingCount = other.pointee.movingCount
    for index in 0..<movingCount { moving[index] = other.pointee.moving[index] }
  }

  /// Advances the ramps by a number of frames.
  @_noLocks @_noAllocation mutating func glide(_ frames: Int) {
    var kept = 0
    for index in 0..<movingCount {
      let port = Int(moving[index])
      controls[port].ramp.skip(frames)
      show(controls[port].ramp.value, of: port)
      if controls[port].ramp.isMoving {
        moving[kept] = moving[index]
        kept += 1
      } else {
        controls[port].isMoving = false
      }
    }
    movingCount = kept
  }

  /// Ends every ramp at its target.
  @_noLocks @_noAllocation mutating func finishGlides() {
    for index in 0..<movingCount { controls[Int(moving[index])].ramp.finish() }
    glide(0)
  }
}
