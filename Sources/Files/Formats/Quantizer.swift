// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

/// Rounds samples to whole numbers, and lays their bits at the top of 32.
struct Quantizer {
  private(set) var whole: [Int32] = []
  private let bits: Int
  private var dither: Dither?

  /// - Parameter dithers: whether noise is added before, so that what is rounded off is noise, too, and no echo of
  ///   the sound. Samples of 32 bits have nothing to gain from it: a float holds no more than 25.
  init(bits: Int, dithers: Bool = false) {
    self.bits = bits
    dither = dithers && bits < 32 ? Dither() : nil
  }

  /// Rounds the first `count` samples to the nearest step; they clip at full scale.
  mutating func round(_ samples: [Float], _ count: Int) {
    if whole.count < count { whole = [Int32](repeating: 0, count: count) }
    let scale = Double(1 << (bits - 1)), shift = Int32(32 - bits)
    for index in 0..<min(count, samples.count) {
      let exact = Double(samples[index]) * scale
      let steps = (exact + (dither?.noise(for: exact) ?? 0)).rounded()
      let value = steps.isNaN ? 0 : Int32(min(max(steps, -scale), scale - 1))
      whole[index] = value << shift
    }
  }
}

/// The noise that is added before rounding: of triangular density, two steps wide from end to end, which is the
/// least that leaves an error whose mean and power do not depend on the sound (Lipshitz, Wannamaker and Vanderkooy,
/// "Quantization and Dither", 1992). It is the same in each file.
///
/// It rests where nothing is rounded off: before the first sample between two steps, and once 4096 in a row were on
/// a step. So what has these bits already keeps them all, and silence is silent.
struct Dither {
  private var state: UInt64 = 0x5357_4946_544C_4554
  /// How many samples in a row were on a step.
  private var exactCount = Dither.patience
  private static let patience = 4096

  /// What to add to a sample, in steps.
  mutating func noise(for sample: Double) -> Double {
    exactCount = sample == sample.rounded() ? exactCount + 1 : 0
    guard exactCount < Self.patience else { return 0 }
    // A linear generator of full period; its upper half is random enough to be heard as noise.
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    let first = Double(UInt32(truncatingIfNeeded: state >> 32))
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    let second = Double(UInt32(truncatingIfNeeded: state >> 32))
    return (first - second) * 0x1p-32
  }
}
