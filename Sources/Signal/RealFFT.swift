// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

/// The discrete Fourier transform of real sound, and the way back: `X[k] = Σ x[n] · e^(−2πi·kn/count)`.
///
/// Made and destroyed on the control thread, which computes all tables; used on the audio thread. A transform
/// can be run whole, or step by step and each step in equal portions, so that a long one spreads over many
/// cycles: the numbers are the same.
///
/// The method is Stockham's, of radix 4, over half as many complex numbers, even frames in their real parts
/// and odd ones in their imaginary parts (P. N. Swarztrauber, "FFT algorithms for vector computers", Parallel
/// Computing 1, 1984).
@safe public struct RealFFT: ~Copyable {
  /// How many frames are transformed: a power of two, at least 16.
  public let count: Int
  /// How many steps a transform takes, either way.
  public let stepCount: Int
  /// How many portions each step has, all of about equal work.
  public let portionCount: Int

  let halfCount: Int
  let memory: FFTMemory

  /// A transform of `count` frames.
  public init(count: Int) {
    precondition(count >= 16 && count.nonzeroBitCount == 1, "a transform takes a power of two, at least 16")
    self.count = count
    halfCount = count / 2
    memory = FFTMemory(halfCount)
    stepCount = memory.passCount + 2
    portionCount = max(halfCount / 32, 1)
  }

  deinit { memory.deallocate() }

  /// Where the bins of a spectrum lie: blocks of eight real parts and of eight imaginary parts.
  ///
  /// Bins run from 0 to half the transform's count, but no further: the last is a real number, as the first
  /// is, and takes the place of its imaginary part.
  @safe public struct Spectrum: BitwiseCopyable {
    let real: UnsafeMutablePointer<Float>, imaginary: UnsafeMutablePointer<Float>
    let stride: Int

    /// Bins whose blocks of eight begin `stride` floats apart; 8 where they lie in two plain arrays.
    @_noLocks @_noAllocation @unsafe public init(
      real: UnsafeMutablePointer<Float>, imaginary: UnsafeMutablePointer<Float>, stride: Int = 8
    ) {
      unsafe self.real = real
      unsafe self.imaginary = imaginary
      self.stride = stride
    }
  }

  /// Transforms ``count`` frames into as many numbers.
  @_noLocks @_noAllocation @unsafe
  public func forward(_ samples: UnsafePointer<Float>, to spectrum: Spectrum) {
    for step in 0..<stepCount { unsafe forward(samples, to: spectrum, step: step, 0..<portionCount) }
  }

  /// Transforms back, so that the frames are those that went in.
  @_noLocks @_noAllocation @unsafe
  public func inverse(_ spectrum: Spectrum, to samples: UnsafeMutablePointer<Float>) {
    for step in 0..<stepCount { unsafe inverse(spectrum, to: samples, step: step, 0..<portionCount) }
  }

  /// Some portions of one step of a transform. All portions of a step come before the first of the next.
  @_noLocks @_noAllocation @unsafe public func forward(
    _ samples: UnsafePointer<Float>, to spectrum: Spectrum, step: Int, _ portions: Range<Int>
  ) {
    if step == 0 { return unsafe unzip(samples, portions) }
    if step < stepCount - 1 { return pass(step - 1, portions) }
    split(to: spectrum, portions)
  }

  /// Some portions of one step of the way back.
  @_noLocks @_noAllocation @unsafe public func inverse(
    _ spectrum: Spectrum, to samples: UnsafeMutablePointer<Float>, step: Int, _ portions: Range<Int>
  ) {
    if step == 0 { return merge(spectrum, portions) }
    if step < stepCount - 1 { return pass(step - 1, portions) }
    unsafe zip(to: samples, portions)
  }
}
