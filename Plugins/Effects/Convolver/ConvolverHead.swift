// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import SwiftletSignal

/// The first frames of a response, which are convolved directly, so that there is no latency.
///
/// Each output frame is summed in the same order, in blocks of any size.
@safe struct ConvolverHead: ~Copyable {
  /// The number of response frames that are convolved directly.
  static var length: Int { @_noLocks @_noAllocation get { 64 } }

  private let taps: UnsafeMutablePointer<Float>

  /// Creates the heads of some responses.
  init(_ responses: [[Float]]) {
    unsafe taps = .allocate(capacity: responses.count * Self.length)
    unsafe taps.initialize(repeating: 0, count: responses.count * Self.length)
    for (number, response) in responses.enumerated() {
      for index in 0..<min(response.count, Self.length) {
        unsafe taps[number * Self.length + index] = response[index]
      }
    }
  }

  deinit { unsafe taps.deallocate() }

  /// Adds to `sink` the convolution of a response with the `count` frames from `frames` on. The 63 frames before
  /// `frames` must be readable. Sink and frames may be accessed up to the next multiple of 32 frames.
  @_noLocks @_noAllocation func add(
    _ response: Int, of frames: UnsafePointer<Float>, to sink: UnsafeMutablePointer<Float>, count: Int
  ) {
    let taps = unsafe self.taps + response * Self.length
    var frame = 0
    while count - frame > 8 {
      var a = unsafe sink[eightFrom: frame], b = unsafe sink[eightFrom: frame + 8]
      var c = unsafe sink[eightFrom: frame + 16], d = unsafe sink[eightFrom: frame + 24]
      for index in 0..<Self.length {
        let tap = unsafe taps[index], source = unsafe frames + frame - index
        unsafe a += tap * source[eightFrom: 0]
        unsafe b += tap * source[eightFrom: 8]
        unsafe c += tap * source[eightFrom: 16]
        unsafe d += tap * source[eightFrom: 24]
      }
      unsafe sink[eightFrom: frame] = a
      unsafe sink[eightFrom: frame + 8] = b
      unsafe sink[eightFrom: frame + 16] = c
      unsafe sink[eightFrom: frame + 24] = d
      frame += 32
    }
    guard frame < count else { return }
    var sum = unsafe sink[eightFrom: frame]
    for index in 0..<Self.length {
      unsafe sum += taps[index] * frames[eightFrom: frame - index]
    }
    unsafe sink[eightFrom: frame] = sum
  }
}
