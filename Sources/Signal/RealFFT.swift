// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

/// The discrete Fourier transform of a real signal, and its inverse: `X[k] = Σ x[n] · e^(−2πi·kn/count)`.
///
/// A transform is created and destroyed on a control thread, which computes all tables, and used on the audio thread.
/// It can be run as a whole or in steps, each of which consists of equal portions, so that the cost of a long transform
/// is distributed over many cycles. The results are identical.
///
/// The method is a Stockham FFT of radix 4 over half as many complex numbers, with even frames in the real parts and
/// odd frames in the imaginary parts (P. N. Swarztrauber, "FFT algorithms for vector computers", Parallel Computing 1,
/// 1984).
@safe public struct RealFFT: ~Copyable {
  /// The number of frames of a transform: a power of two, at least 16.
  public let count: Int
  /// The number of steps of a transform or of an inverse transform.
  public let stepCount: Int
  /// The number of portions of each step; all take about the same time.
  public let portionCount: Int

  let halfCount: Int
  let memory: FFTMemory

  /// Creates a transform of `count` frames.
  public init(count: Int) {
    precondition(count >= 16 && count.nonzeroBitCount == 1, "a transform takes a power of two, at least 16")
    self.count = count
    halfCount = count / 2
    memory = FFTMemory(halfCount)
    stepCount = memory.passCount + 2
    portionCount = max(halfCount / 32, 1)
  }

  deinit { memory.deallocate() }

  /// The memory layout of a spectrum: blocks of eight real parts and eight imaginary parts.
  ///
  /// The bins run from 0 to half the transform's count. The first and the last bin are real numbers; the last is stored
  /// as the imaginary part of the first.
  @safe public struct Spectrum: BitwiseCopyable {
    let real: UnsafeMutablePointer<Float>, imaginary: UnsafeMutablePointer<Float>
    let stride: Int

    /// Creates a spectrum whose blocks of eight begin `stride` floats apart; 8 for two plain arrays.
    @_noLocks @_noAllocation @unsafe public init(
      real: UnsafeMutablePointer<Float>, imaginary: UnsafeMutablePointer<Float>, stride: Int = 8
    ) {
      unsafe self.real = real
      unsafe self.imaginary = imaginary
      self.stride = stride
    }
  }

  /// Transforms ``count`` frames to a spectrum.
  @_noLocks @_noAllocation @unsafe
  public func forward(_ samples: UnsafePointer<Float>, to spectrum: Spectrum) {
    for step in 0..<stepCount { unsafe forward(samples, to: spectrum, step: step, 0..<portionCount) }
  }

  /// Computes the inverse transform, which returns the original frames.
  @_noLocks @_noAllocation @unsafe
  public func inverse(_ spectrum: Spectrum, to samples: UnsafeMutablePointer<Float>) {
    for step in 0..<stepCount { unsafe inverse(spectrum, to: samples, step: step, 0..<portionCount) }
  }

  /// Computes some portions of one step of a transform. All portions of a step must be computed before the next step.
  @_noLocks @_noAllocation @unsafe public func forward(
    _ samples: UnsafePointer<Float>, to spectrum: Spectrum, step: Int, _ portions: Range<Int>
  ) {
    if step == 0 { return unsafe unzip(samples, portions) }
    if step < stepCount - 1 { return pass(step - 1, portions) }
    split(to: spectrum, portions)
  }

  /// Computes some portions of one step of the inverse transform.
  @_noLocks @_noAllocation @unsafe public func inverse(
    _ spectrum: Spectrum, to samples: UnsafeMutablePointer<Float>, step: Int, _ portions: Range<Int>
  ) {
    if step == 0 { return merge(spectrum, portions) }
    if step < stepCount - 1 { return pass(step - 1, portions) }
    unsafe zip(to: samples, portions)
  }
}
