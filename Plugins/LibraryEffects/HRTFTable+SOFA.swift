// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import CSwiftletMySofa
internal import CSwiftletRealtime
internal import SwiftletSignal

extension HRTFTable {
  /// The maximum length of an impulse response, in seconds. Longer responses, such as those of rooms, need a convolver.
  private static var longest: Double { 0.1 }

  /// Reads a SOFA file by libmysofa and converts it to `sampleRate`. Control thread.
  ///
  /// If the file has measurements at several distances, those at the largest distance are used. The level is that of
  /// the file.
  ///
  /// - Throws: `EffectError.file(0, .unreadable)` if the file is no set of measurements around a head, or is damaged.
  init(sofa path: [CChar], sampleRate: Double) throws(EffectError) {
    guard SOFACheck.isBounded(path) else { throw .file(0, .unreadable) }
    var fault: Int32 = 0
    guard let file = unsafe mysofa_load(path, &fault) else { throw .file(0, .unreadable) }
    defer { unsafe mysofa_free(file) }
    // The library checks the conventions first. The values that are read below are checked again, since the file is
    // untrusted input.
    guard unsafe mysofa_check(file) == 0, unsafe Self.fits(file.pointee, Self.longest) else {
      throw .file(0, .unreadable)
    }
    let rate = Float(sampleRate), ownRate = unsafe file.pointee.DataSamplingRate.values[0]
    if ownRate != rate {
      guard unsafe mysofa_resample(file, rate) == 0, unsafe Self.fits(file.pointee, 2 * Self.longest) else {
        throw .file(0, .unreadable)
      }
    }
    unsafe mysofa_tocartesian(file)
    // Resampling preserves the amplitude of an impulse response and increases the number of its samples: without this
    // factor the gain of the filter would grow with the rate.
    let measured = unsafe Self.measured(file.pointee, scale: ownRate / rate)
    guard !measured.isEmpty else { throw .file(0, .unreadable) }
    self.init(measured)
  }

  /// Returns whether the arrays have the announced lengths and plausible values.
  private static func fits(_ file: MYSOFA_HRTF, _ longest: Double) -> Bool {
    let directions = Int(unsafe file.M), taps = Int(unsafe file.N)
    let samples = unsafe array(file.DataIR), positions = unsafe array(file.SourcePosition)
    let delays = unsafe array(file.DataDelay), rates = unsafe array(file.DataSamplingRate)
    let ears = unsafe array(file.ReceiverPosition)
    guard directions > 0, taps > 0, unsafe file.R == 2, unsafe file.C == 3,
      samples.count == directions * 2 * taps,
      positions.count == directions * 3, delays.count == 2 || delays.count == directions * 2, ears.count >= 6,
      let rate = unsafe rates.first, rate >= 1000, rate <= 1_000_000, Double(taps) <= longest * Double(rate)
    else { return false }
    let late = Float(longest) * rate
    return unsafe within(samples, -1000...1000) && within(positions, -1e6...1e6) && within(ears, -1e6...1e6)
      && within(delays, 0...late)
  }

  /// Returns the direction and both impulse responses of each measurement.
  private static func measured(
    _ file: MYSOFA_HRTF, scale: Float
  ) -> [(direction: SIMD3<Float>, left: Impulse, right: Impulse)] {
    let taps = Int(unsafe file.N), count = Int(unsafe file.M)
    let samples = unsafe array(file.DataIR), positions = unsafe array(file.SourcePosition)
    let delays = unsafe array(file.DataDelay), ears = unsafe array(file.ReceiverPosition)
    let latest = unsafe delays.max() ?? 0, length = taps + Int(latest.rounded(.up))
    // In SOFA coordinates x points forward, y to the left and z up.
    let points = (0..<count).map { number -> SIMD3<Float> in
      let offset = 3 * number
      return unsafe SIMD3(-positions[offset + 1], positions[offset + 2], -positions[offset])
    }
    let radii = points.map { ($0 * $0).sum().squareRoot() }
    let furthest = radii.max() ?? 0
    // The first receiver is the left ear, unless its position in the file is on the right.
    let left = unsafe ears[1] < ears[4] ? 1 : 0
    func response(_ number: Int, _ ear: Int) -> Impulse {
      let start = (2 * number + ear) * taps
      let delay = unsafe delays[delays.count == 2 ? ear : 2 * number + ear]
      let impulse = unsafe samples[start..<start + taps].map { $0 * scale }
      return Self.delayed(impulse, by: Double(delay), length: length)
    }
    let outermost = (0..<count).filter { radii[$0] > 1e-3 && radii[$0] >= 0.9 * furthest }
    return outermost.map { number in
      let direction = points[number] / radii[number]
      return (direction: direction, left: response(number, left), right: response(number, 1 - left))
    }
  }

  /// Returns an impulse response after its delay: the integer part shifts it, the fraction is a sinc of 32 frames.
  private static func delayed(_ samples: [Float], by delay: Double, length: Int) -> Impulse {
    let whole = Int(delay.rounded(.down)), rest = delay - Double(whole)
    var result = Impulse(repeating: 0, count: length)
    guard rest > 1e-4 else {
      for (frame, sample) in samples.enumerated() { result[whole + frame] = sample }
      return result
    }
    for step in -15...16 {
      let x = Double(step) - rest
      let weight = Float(
        rt_sin_double(.pi * x) / (.pi * x) * (0.5 + 0.5 * rt_sin_double(.pi * (0.5 + x / 17))))
      for (frame, sample) in samples.enumerated() {
        let index = whole + frame + step
        if result.indices.contains(index) { result[index] += sample * weight }
      }
    }
    return result
  }

  /// Returns whether all values are in a range, which excludes NaN.
  private static func within(_ values: UnsafeBufferPointer<Float>, _ range: ClosedRange<Float>) -> Bool {
    unsafe values.allSatisfy { range.contains($0) }
  }

  private static func array(_ array: MYSOFA_ARRAY) -> UnsafeBufferPointer<Float> {
    unsafe UnsafeBufferPointer(start: array.values, count: array.values == nil ? 0 : Int(array.elements))
  }
}
