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
    let count = min(count, samples.count), bits = bits
    samples.withUnsafeBufferPointer { samples in
      whole.withUnsafeMutableBufferPointer { whole in
        steps.withUnsafeMutableBufferPointer { steps in
          guard let samples = samples.baseAddress, let whole = whole.baseAddress,
            let first = steps.baseAddress
          else { return }
          let room = steps.count
          var place = 0
          while place < count {
            let run = min(count - place, room)
            Self.scale(samples + place, to: first, run, bits)
            dither?.addNoise(to: UnsafeMutableBufferPointer(start: first, count: run))
            Self.hold(first, to: whole + place, run, bits)
            place += run
          }
        }
      }
    }
  }

  // Plain loops over plain memory, one for each thing that is done, so that the compiler does each to several samples at
  // once: a sum that could overflow, or one choice within another, keeps it from that.

  /// Counts samples in steps.
  private static func scale(
    _ samples: UnsafePointer<Float>, to steps: UnsafeMutablePointer<Double>, _ count: Int, _ bits: Int
  ) {
    let scale = Double(1 << (bits - 1))
    for index in 0..<count {
      let sample = samples[index]
      steps[index] = Double(sample == sample ? sample : 0) * scale
    }
  }

  /// Rounds them, and holds them within full scale.
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
    guard let samples = samples.baseAddress.map({ $0 + range.lowerBound }) else { return }
    let factor = Self.factor &* Self.factor, term = Self.next(Self.term)
    // The noise of each other sample, so that one is worked out while the next waits for its product.
    let leap = factor &* factor, leapTerm = term &* factor &+ term
    var (first, second) = (first, second)
    var (third, fourth) = (first &* factor &+ term, second &* factor &+ term)
    for place in 0..<range.count / 2 {
      samples[2 &* place] += Self.noise(first, second)
      samples[2 &* place &+ 1] += Self.noise(third, fourth)
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
