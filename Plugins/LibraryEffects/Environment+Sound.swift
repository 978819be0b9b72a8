// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import CSwiftletRealtime
internal import SwiftletSignal

extension Environment {
  /// Processes a source from its channel to all outputs, at most a slice.
  @_noLocks @_noAllocation mutating func render(_ source: Int, _ slice: Block) {
    let dry = slice.input()[source], count = slice.frameCount
    let sound = unsafe lines + source * lineLength + writeIndex
    let from = unsafe sources[source].from, to = unsafe sources[source].to
    let each = 1 / Float(Self.sliceLength), before = Float(elapsed) * each
    for frame in 0..<count { unsafe sound[frame] = dry[clean: frame] }
    unsafe applyLowPass(sound, count, 2 * source, from[.occlusion], to[.occlusion])
    unsafe add(sound, to: slice.output(bus: 1)[0], from[.reverb], to[.reverb])
    unsafe applyLowPass(sound, count, 2 * source + 1, from[.obstruction], to[.obstruction])
    unsafe add(sound, to: slice.output()[0], from[.left], to[.left])
    unsafe add(sound, to: slice.output()[1], from[.right], to[.right])
    updateSilence(of: source, count)
    guard from[.head] > 0 || to[.head] > 0, unsafe silences[source] < history + count else { return }
    unsafe binauralFilters[source].render(sound, count: count, share: (before, each), into: rendered)
    unsafe add(rendered, to: slice.output()[0], from[.head], to[.head])
    unsafe add(rendered + Self.sliceLength, to: slice.output()[1], from[.head], to[.head])
  }

  /// Adds frames, multiplied by a level that is interpolated linearly over the segment.
  @_noLocks @_noAllocation private func add(
    _ sound: UnsafeMutablePointer<Float>, to sink: MutableSamples, _ from: Float, _ to: Float
  ) {
    guard max(from, to) > 0 else { return }
    let step = (to - from) / Float(Self.sliceLength), base = unsafe sink.unsafeBase
    for frame in 0..<sink.count {
      unsafe base[frame] += sound[frame] * (from + step * Float(elapsed + frame + 1))
    }
  }

  /// Filters frames by a low-pass in place.
  @_noLocks @_noAllocation private mutating func applyLowPass(
    _ sound: UnsafeMutablePointer<Float>, _ count: Int, _ number: Int, _ from: Float, _ to: Float
  ) {
    var filter = unsafe filters[number]
    if min(from, to) < 1 {
      let start = Double(from), step = Double(to - from) / Double(Self.sliceLength)
      for frame in 0..<count {
        unsafe sound[frame] = filter.next(sound[frame], share: start + step * Double(elapsed + frame + 1))
      }
    } else {
      _ = unsafe filter.next(sound[count - 1], share: 1)
    }
    unsafe filters[number] = filter
  }

  /// Updates the number of frames for which a line has been silent.
  @_noLocks @_noAllocation private mutating func updateSilence(of source: Int, _ count: Int) {
    let sound = unsafe lines + source * lineLength + writeIndex
    var isSilent = true
    for frame in 0..<count where unsafe sound[frame] != 0 { isSilent = false }
    unsafe silences[source] = isSilent ? min(silences[source] + count, history + Self.capacity) : 0
  }

  /// Ensures that `count` more frames fit into each line.
  @_noLocks @_noAllocation mutating func reserve(_ count: Int) {
    guard writeIndex + count > history + Self.capacity else { return }
    for source in 0..<sourceCount {
      let line = unsafe lines + source * lineLength
      unsafe rt_copy_floats(line, line + writeIndex - history, history)
    }
    writeIndex = history
  }
}
