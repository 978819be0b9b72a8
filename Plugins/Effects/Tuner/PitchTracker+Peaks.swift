// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import CSwiftletRealtime
internal import SwiftletSignal

/// The selection of the peak of the similarity that is the pitch, and its exact lag.
extension PitchTracker {
  /// A peak: its lag and its height.
  struct Peak: BitwiseCopyable {
    let lag: Double, height: Double

    @_noLocks @_noAllocation init(lag: Double, height: Double) {
      self.lag = lag
      self.height = height
    }
  }

  /// Returns the first lag at which the similarity is not above 0. Earlier lags belong to the peak around lag 0.
  @_noLocks @_noAllocation private func firstFall() -> Int {
    var lag = 1
    while lag < reach, unsafe likeness[lag] > 0 { lag += 1 }
    return lag
  }

  /// Returns the highest similarity at any lag after the first fall.
  @_noLocks @_noAllocation func highestPeak() -> Float {
    var highest: Float = 0, lag = firstFall()
    while lag < reach {
      highest = unsafe max(highest, likeness[lag])
      lag += 1
    }
    return highest
  }

  /// Returns the first peak that is nearly as high as the highest; a peak of height 0 if there is none.
  @_noLocks @_noAllocation func firstPeak(nearly highest: Float) -> Peak {
    var lag = firstFall(), tries = 0
    while lag < reach - 1, tries < 6 {
      // A narrow peak may lie between two lags and be higher than the similarity at both.
      if isPeak(lag), unsafe likeness[lag] > 0.5 * highest {
        let found = top(lag)
        if found.height >= 0.93 * Double(highest) { return found }
        tries += 1
      }
      lag += 1
    }
    return Peak(lag: 0, height: 0)
  }

  @_noLocks @_noAllocation private func isPeak(_ lag: Int) -> Bool {
    let here = unsafe likeness[lag], before = unsafe likeness[lag - 1], after = unsafe likeness[lag + 1]
    return here > 0 ? (here > before ? here >= after : false) : false
  }

  /// Returns the interpolated maximum around a lag, by golden-section search.
  @_noLocks @_noAllocation private func top(_ lag: Int) -> Peak {
    let section = 0.618_033_988_75
    var low = Double(lag) - 1, high = Double(lag) + 1
    var left = high - section * (high - low), right = low + section * (high - low)
    var leftHeight = between(left), rightHeight = between(right)
    for _ in 0..<14 {
      if leftHeight < rightHeight {
        (low, left, leftHeight) = (left, right, rightHeight)
        right = low + section * (high - low)
        rightHeight = between(right)
      } else {
        (high, right, rightHeight) = (right, left, leftHeight)
        left = high - section * (high - low)
        leftHeight = between(left)
      }
    }
    let best = 0.5 * (low + high)
    return Peak(lag: best, height: between(best))
  }

  /// Returns the similarity between lags, interpolated by a windowed sinc that extends over 8 lags on each side. The
  /// similarity is symmetric about lag 0.
  @_noLocks @_noAllocation private func between(_ position: Double) -> Double {
    let left = Int(position), part = position - Double(left)
    if part < 1e-9 { return unsafe Double(likeness[left]) }
    let sine = rt_sin_double(.pi * part) / .pi
    var sum = 0.0, whole = 0.0
    for step in -7...8 {
      let lag = abs(left + step), away = part - Double(step)
      let bell = 1 - away * away / 72.25
      // sin(π · (part − step)) is sin(π · part), with the opposite sign at each odd step.
      let sinc = (step & 1 == 0 ? sine : -sine) / away
      guard lag <= reach else { continue }
      sum += unsafe Double(likeness[lag]) * sinc * bell * bell
      whole += sinc * bell * bell
    }
    // The normalisation prevents ripple between the lags of a constant.
    return sum / whole
  }

  /// Returns the period, refined from the longest sequence of periods that fits and still has a peak.
  @_noLocks @_noAllocation func exact(_ first: Peak) -> Double {
    var period = first.lag, count = 1.0
    while (2 * count + 0.5) * period < Double(reach - 10) {
      let aim = Int(2 * count * period + 0.5)
      var best = aim
      // The error is less than half a period, so that this is the right peak.
      for lag in (aim - 1)...(aim + 1) where unsafe likeness[lag] > likeness[best] { best = lag }
      guard isPeak(best) else { return period }
      let next = top(best)
      guard next.height > 0.8 * first.height else { return period }
      count *= 2
      period = next.lag / count
    }
    return period
  }
}
