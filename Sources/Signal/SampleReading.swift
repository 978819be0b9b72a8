// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

/// The levels of some samples, and whether all of them are finite.
public struct SampleReading: BitwiseCopyable {
  /// The largest magnitude of the samples, infinity included and NaN excluded.
  public var peak: Float = 0
  /// The sum of the squared samples, NaN excluded.
  public var squares: Float = 0
  /// Whether every sample is a finite number.
  public var isFinite = true

  /// Creates the reading of no samples.
  @_noLocks @_noAllocation public init() {}
}

extension Samples {
  /// Whether every sample is valid for effects, as `[clean:]` defines it. Audio thread.
  package var areClean: Bool {
    @_noLocks @_noAllocation get {
      let most = SIMD8<Float>(repeating: Samples.loudest)
      var isClean = SIMDMask<SIMD8<Int32>>(repeating: true)
      var frame = 0
      while frame + 8 <= count {
        let eight = unsafe base[eightFrom: frame]
        isClean .&= (eight .<= most) .& (eight .>= -most)
        frame += 8
      }
      var clean = true
      for lane in 0..<8 where !isClean[lane] { clean = false }
      while frame < count {
        if !(abs(self[frame]) <= Samples.loudest) { clean = false }
        frame += 1
      }
      return clean
    }
  }

  /// The reading of all samples, in one pass. Audio thread.
  package var reading: SampleReading {
    @_noLocks @_noAllocation get {
      var peaks = SIMD8<Float>(), squares = SIMD8<Float>()
      var frame = 0
      while frame + 8 <= count {
        let eight = unsafe base[eightFrom: frame]
        let sizes = eight.replacing(with: -eight, where: eight .< 0)
        peaks.replace(with: sizes, where: sizes .> peaks)
        squares += eight * eight
        frame += 8
      }
      var result = SampleReading()
      for lane in 0..<8 { result.add(peak: peaks[lane], squares: squares[lane]) }
      while frame < count {
        let sample = self[frame]
        result.add(peak: abs(sample), squares: sample * sample)
        frame += 1
      }
      // One non-finite sample makes the sum non-finite; in that case each sample is checked.
      return result.squares < .infinity ? result : carefulReading
    }
  }

  /// The largest magnitude of the samples, from 0, where 1 is full scale; NaN is ignored. May be called on the audio
  /// thread.
  public var peak: Float {
    @_noLocks @_noAllocation get {
      var peaks = SIMD8<Float>()
      var frame = 0
      while frame + 8 <= count {
        let eight = unsafe base[eightFrom: frame]
        peaks.replace(with: eight, where: eight .> peaks)
        peaks.replace(with: -eight, where: -eight .> peaks)
        frame += 8
      }
      var peak: Float = 0
      for lane in 0..<8 where peaks[lane] > peak { peak = peaks[lane] }
      while frame < count {
        let size = abs(self[frame])
        if size > peak { peak = size }
        frame += 1
      }
      return peak
    }
  }

  private var carefulReading: SampleReading {
    @_noLocks @_noAllocation get {
      var result = SampleReading()
      for frame in 0..<count {
        let size = abs(self[frame])
        if size >= 0 { result.add(peak: size, squares: size * size) }
        if !(size < .infinity) { result.isFinite = false }
      }
      return result
    }
  }
}

extension SampleReading {
  @_noLocks @_noAllocation fileprivate mutating func add(peak: Float, squares: Float) {
    if peak > self.peak { self.peak = peak }
    self.squares += squares
  }
}
