// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import CSwiftletRealtime
internal import SwiftletSignal

/// Converts the sample rate of a sound with a Kaiser-windowed sinc filter. Control thread only.
///
/// Frequencies below 0.46 of the lower rate pass unchanged; aliases are attenuated by ``depth`` dB. The filter is
/// tabulated and interpolated with a cubic through the nearest four points.
struct RateConversion {
  /// The stop-band attenuation in decibels.
  static var depth: Double { 120 }
  /// The width of the transition band, relative to the lower rate.
  private static var width: Double { 0.04 }
  /// The number of table points for each sample of the lower rate.
  private static var density: Int { 512 }

  private let reach: Int
  private var table: [Double] = []

  private init() {
    reach = KaiserWindow.reach(Self.depth, width: Self.width)
    let cutOff = 0.5 - Self.width / 2, beta = KaiserWindow.beta(Self.depth)
    // The table begins one point before the center, and is padded with zeros at the end.
    for point in -1...(reach * Self.density + 3) {
      let position = Double(point) / Double(Self.density)
      let sinc = point == 0 ? 2 * cutOff : rt_sin_double(2 * .pi * cutOff * position) / (.pi * position)
      table.append(sinc * KaiserWindow.value(at: position / Double(reach), beta: beta))
    }
  }

  /// Returns the sound at `sampleRate`. Returns it unchanged if that is its own rate; nil if the result would be too
  /// long.
  static func convert(_ sound: Sound, to sampleRate: Double) -> Sound? {
    guard sound.recordedRate > 0, sound.recordedRate != sampleRate else { return sound }
    return RateConversion().convert(sound, to: sampleRate)
  }

  private func convert(_ sound: Sound, to sampleRate: Double) -> Sound? {
    let step = sound.recordedRate / sampleRate, share = min(1, sampleRate / sound.recordedRate)
    let length = rt_floor_double(Double(sound.frameCount - 1) / step) + 1
    guard length * Double(sound.channels.count) <= Double(WaveFile.mostSamples) else { return nil }
    let count = Int(length)
    let span = Int(Double(reach) / share) + 1
    var weights = [Double](repeating: 0, count: 2 * span + 1)
    var channels = [[Float]](repeating: [Float](repeating: 0, count: count), count: sound.channels.count)
    for frame in 0..<count {
      let position = Double(frame) * step, middle = Int(position)
      let first = max(middle - span, 0), last = min(middle + span, sound.frameCount - 1)
      guard first <= last else { continue }
      for source in first...last {
        weights[source - first] = share * weight(abs(Double(source) - position) * share)
      }
      for channel in 0..<channels.count {
        let samples = sound.channels[channel]
        var sum = 0.0
        for source in first...last { sum += Double(samples[source]) * weights[source - first] }
        channels[channel][frame] = Float(sum)
      }
    }
    return Sound(channels: channels, recordedRate: sound.recordedRate)
  }

  /// The filter's value at a distance from its center, in samples of the lower rate.
  private func weight(_ distance: Double) -> Double {
    guard distance < Double(reach) else { return 0 }
    let position = distance * Double(Self.density), point = Int(position), t = position - Double(point)
    let a = table[point], b = table[point + 1], c = table[point + 2], d = table[point + 3]
    // The cubic through a at -1, b at 0, c at 1 and d at 2 (Lagrange interpolation).
    let outer = a * (t * (t - 1) * (2 - t)) + d * (t * (t - 1) * (t + 1))
    let inner = b * ((t + 1) * (t - 1) * (t - 2)) + c * (t * (t + 1) * (2 - t))
    return outer / 6 + inner / 2
  }
}
