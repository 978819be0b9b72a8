// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

/// Rounds samples to integers, whose bits are the highest of 32.
struct Quantizer {
  private(set) var whole: [Int32] = []
  private let bits: Int
  private var dither: Dither?
  /// Samples in quantization steps, as many as are rounded at once; few enough to stay in the processor's cache.
  private var steps = [Double](repeating: 0, count: 2048)

  /// - Parameter dithers: whether dither is added before rounding, so that the rounding error is noise instead of
  ///   distortion; the default is false. 32-bit samples are never dithered: a float has only 25 bits.
  init(bits: Int, dithers: Bool = false) {
    self.bits = bits
    dither = dithers && bits < 32 ? Dither() : nil
  }

  /// Rounds the first `count` samples to the nearest step, with ties to even. Samples clip at full scale, and NaN
  /// becomes 0.
  mutating func round(_ samples: [Float], _ count: Int) {
    if whole.count < count { whole = [Int32](repeating: 0, count: count) }
    let count = min(count, samples.count), bits = bits
    samples.withUnsafeBufferPointer { samples in
      whole.withUnsafeMutableBufferPointer { whole in
        steps.withUnsafeMutableBufferPointer { steps in
          guard let samples = samples.baseAddress, let whole = whole.baseAddress,
            let first = steps.baseAddress
          else { return }
          let most = steps.count
          var done = 0
          while done < count {
            let run = min(count - done, most)
            Self.scale(samples + done, to: first, run, bits)
            dither?.addNoise(to: UnsafeMutableBufferPointer(start: first, count: run))
            Self.hold(first, to: whole + done, run, bits)
            done += run
          }
        }
      }
    }
  }

  // Each operation is a plain loop over plain memory, so that the compiler vectorizes it. A sum that could overflow, or
  // nested conditions, would prevent that.

  /// Scales samples to quantization steps.
  private static func scale(
    _ samples: UnsafePointer<Float>, to steps: UnsafeMutablePointer<Double>, _ count: Int, _ bits: Int
  ) {
    let scale = Double(1 << (bits - 1))
    for index in 0..<count {
      let sample = samples[index]
      steps[index] = Double(sample == sample ? sample : 0) * scale
    }
  }

  /// Rounds steps and clips them at full scale.
  private static func hold(
    _ steps: UnsafePointer<Double>, to whole: UnsafeMutablePointer<Int32>, _ count: Int, _ bits: Int
  ) {
    let lowest = -Double(1 << (bits - 1)), highest = -lowest - 1, shift = Int32(32 - bits)
    for index in 0..<count {
      let step = steps[index]
      let above = step < lowest ? lowest : step
      let held = above > highest ? highest : above
      whole[index] = Int32(truncatingIfNeeded: (held + Double.wholes).bitPattern) &<< shift
    }
  }
}

extension Double {
  /// A number so large that its neighbours are 1 apart: adding it rounds to an integer, whose bits are the lowest of
  /// the sum. Much faster than the rounding function.
  fileprivate static var wholes: Double { 0x1.8p52 }

  /// Whether the value is an integer. May be false for integers beyond 2⁵¹.
  fileprivate var isWhole: Bool { self + Self.wholes - Self.wholes == self }
}

/// Dither: noise of triangular density, two steps wide, that is added before rounding. It is the least noise that makes
/// mean and power of the error independent of the sound (Lipshitz, Wannamaker and Vanderkooy, "Quantization and
/// Dither", 1992). The noise is the same in each file.
///
/// It pauses while nothing is rounded: before the first sample between two steps, and after 4096 consecutive samples on
/// a step. So sound that already has these bits is not changed, and silence stays silent.
struct Dither {
  /// The number of consecutive samples that were on a step.
  private var exactCount = Dither.samplesToPause
  private static let samplesToPause = 4096
  /// The last two numbers of a linear congruential generator of full period, of which the upper halves are used. Each
  /// advances by two generator steps at once, so that neither depends on the other.
  private var first: UInt64 = Dither.next(0x5357_4946_544C_4554)
  private var second: UInt64 = Dither.next(Dither.next(0x5357_4946_544C_4554))

  private static let factor: UInt64 = 6_364_136_223_846_793_005, term: UInt64 = 1_442_695_040_888_963_407
  private static func next(_ number: UInt64) -> UInt64 { number &* factor &+ term }

  /// Adds noise to samples, which are in quantization steps.
  mutating func addNoise(to samples: UnsafeMutableBufferPointer<Double>) {
    let count = samples.count
    var position = 0
    while position < count {
      // The noise is paused, or will be if the next sample is on a step.
      if exactCount >= Self.samplesToPause - 1 {
        exactCount = samples[position].isWhole ? Self.samplesToPause : 0
        if exactCount > 0 { position += 1 }
        continue
      }
      // These samples get noise in any case.
      let end = min(count, position + Self.samplesToPause - 1 - exactCount)
      var border = end
      while border > position, samples[border - 1].isWhole { border -= 1 }
      exactCount = border == position ? exactCount + end - position : end - border
      addNoise(to: samples, position..<end)
      position = end
    }
  }

  private mutating func addNoise(to samples: UnsafeMutableBufferPointer<Double>, _ range: Range<Int>) {
    guard let samples = samples.baseAddress.map({ $0 + range.lowerBound }) else { return }
    let factor = Self.factor &* Self.factor, term = Self.next(Self.term)
    // Computes the noise of every other sample, so that one is computed while the next waits for its product.
    let leap = factor &* factor, leapTerm = term &* factor &+ term
    var (first, second) = (first, second)
    var (third, fourth) = (first &* factor &+ term, second &* factor &+ term)
    for pair in 0..<range.count / 2 {
      samples[2 &* pair] += Self.noise(first, second)
      samples[2 &* pair &+ 1] += Self.noise(third, fourth)
      (first, second) = (first &* leap &+ leapTerm, second &* leap &+ leapTerm)
      (third, fourth) = (third &* leap &+ leapTerm, fourth &* leap &+ leapTerm)
    }
    if range.count % 2 == 1 {
      samples[range.count - 1] += Self.noise(first, second)
      (first, second) = (third, fourth)
    }
    (self.first, self.second) = (first, second)
  }

  /// The difference of two numbers' upper halves, in steps.
  private static func noise(_ first: UInt64, _ second: UInt64) -> Double {
    Double(Int64(first >> 32) &- Int64(second >> 32)) * 0x1p-32
  }
}
