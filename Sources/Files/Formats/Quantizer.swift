// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

/// Rounds samples to whole numbers, and lays their bits at the top of 32.
struct Quantizer {
  private(set) var whole: [Int32] = []
  private let bits: Int
  private var dither: Dither?
  /// Samples in steps of what is written, as many as are rounded at once: so few that they stay in the cache.
  private var steps = [Double](repeating: 0, count: 2048)

  /// - Parameter dithers: whether noise is added before, so that what is rounded off is noise, too, and no echo of
  ///   the sound. Samples of 32 bits have nothing to gain from it: a float holds no more than 25.
  init(bits: Int, dithers: Bool = false) {
    self.bits = bits
    dither = dithers && bits < 32 ? Dither() : nil
  }

  /// Rounds the first `count` samples to the nearest step, or the even one of two; they clip at full scale, and what
  /// is no number is silence.
  mutating func round(_ samples: [Float], _ count: Int) {
    if whole.count < count { whole = [Int32](repeating: 0, count: count) }
    let count = min(count, samples.count)
    samples.withUnsafeBufferPointer { samples in
      whole.withUnsafeMutableBufferPointer { whole in
        steps.withUnsafeMutableBufferPointer { steps in
          var place = 0
          while place < count {
            let run = min(count - place, steps.count)
            let batch = UnsafeMutableBufferPointer(rebasing: steps[..<run])
            Quantizer.round(samples, to: whole, from: place, in: batch, bits, &dither)
            place += run
          }
        }
      }
    }
  }

  /// Plain loops, one for each thing that is done, so that each is done to several samples at once.
  private static func round(
    _ samples: UnsafeBufferPointer<Float>, to whole: UnsafeMutableBufferPointer<Int32>, from place: Int,
    in steps: UnsafeMutableBufferPointer<Double>, _ bits: Int, _ dither: inout Dither?
  ) {
    let scale = Double(1 << (bits - 1)), shift = Int32(32 - bits)
    for index in steps.indices { steps[index] = Double(samples[place + index]) * scale }
    dither?.addNoise(to: steps)
    for index in steps.indices {
      let step = steps[index] == steps[index] ? steps[index] : 0
      let held = step < -scale ? -scale : step > scale - 1 ? scale - 1 : step
      whole[place + index] = Int32(truncatingIfNeeded: (held + Double.wholes).bitPattern) &<< shift
    }
  }
}

extension Double {
  /// So large that its neighbours are one apart: what is added to it is rounded to a whole number, whose bits are the
  /// last ones of the sum. Faster by far than to ask for that.
  fileprivate static var wholes: Double { 0x1.8p52 }

  /// Whether it is a whole number; those beyond 2⁵¹ may pass for none.
  fileprivate var isWhole: Bool { self + Self.wholes - Self.wholes == self }
}

/// The noise that is added before rounding: of triangular density, two steps wide from end to end, which is the
/// least that leaves an error whose mean and power do not depend on the sound (Lipshitz, Wannamaker and Vanderkooy,
/// "Quantization and Dither", 1992). It is the same in each file.
///
/// It rests where nothing is rounded off: before the first sample between two steps, and once 4096 in a row were on
/// a step. So what has these bits already keeps them all, and silence is silent.
struct Dither {
  /// How many samples in a row were on a step.
  private var exactCount = Dither.patience
  private static let patience = 4096
  /// The last two numbers of a linear generator of full period; their upper halves are random enough to be heard as
  /// noise. Each goes on by two steps of the generator at once, so that neither waits for the other.
  private var first: UInt64 = Dither.next(0x5357_4946_544C_4554)
  private var second: UInt64 = Dither.next(Dither.next(0x5357_4946_544C_4554))

  private static let factor: UInt64 = 6_364_136_223_846_793_005, term: UInt64 = 1_442_695_040_888_963_407
  private static func next(_ number: UInt64) -> UInt64 { number &* factor &+ term }

  /// Adds it to samples, which are counted in steps.
  mutating func addNoise(to samples: UnsafeMutableBufferPointer<Double>) {
    let count = samples.count
    var place = 0
    while place < count {
      // It rests, or will if the next sample is on a step.
      if exactCount >= Self.patience - 1 {
        exactCount = samples[place].isWhole ? Self.patience : 0
        if exactCount > 0 { place += 1 }
        continue
      }
      // Whatever these are, they get noise.
      let end = min(count, place + Self.patience - 1 - exactCount)
      var border = end
      while border > place, samples[border - 1].isWhole { border -= 1 }
      exactCount = border == place ? exactCount + end - place : end - border
      addNoise(to: samples, place..<end)
      place = end
    }
  }

  private mutating func addNoise(to samples: UnsafeMutableBufferPointer<Double>, _ range: Range<Int>) {
    let factor = Self.factor &* Self.factor, term = Self.next(Self.term)
    var (first, second) = (first, second)
    for place in range {
      samples[place] += Double(Int64(first >> 32) - Int64(second >> 32)) * 0x1p-32
      first = first &* factor &+ term
      second = second &* factor &+ term
    }
    (self.first, self.second) = (first, second)
  }
}
