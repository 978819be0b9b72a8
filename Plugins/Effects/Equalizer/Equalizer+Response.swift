// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

public import SwiftletSignal

/// The frequency response of an equalizer, computed from its settings.
///
/// In stereo a band changes a signal v = (left, right) to v + M·v·(H − 1), where H is the response of its filters and M
/// the matrix of its part (``EqualizerPart``). The total of a part is computed by sending a signal that lies only in
/// this part through all bands, and taking the component of the result in the same part.
extension Equalizer {
  /// Returns the frequency response of the equalizer, as a whole and for each band.
  public static func response(at frequencies: [Double], values: [Float], layout: Layout)
    -> FrequencyResponse?
  {
    typealias Point = FrequencyResponse.Point
    let isStereo = layout.outputs.first == 2, bandCount = min(max(layout.bandCount, 0), mostBands)
    let values = parameters(bandCount: bandCount).enumerated().map { number, parameter in
      let value = number < values.count ? values[number] : parameter.initial
      return ParameterLimit(parameter, sampleRate: layout.sampleRate)
        .nearest(to: value.isNaN ? parameter.initial : value)
    }
    let bands = (0..<bandCount).map { EqualizerSetting($0, values, isStereo: isStereo) }
    let curves = bands.map { $0.curve(at: frequencies, sampleRate: layout.sampleRate) }
    var parts: [EqualizerPart.Part] = []
    func occurs(_ these: EqualizerPart.Part...) -> Bool { bands.contains { these.contains($0.part) } }
    if occurs(.left, .right) { parts += [.left, .right] }
    if occurs(.mid, .side) { parts += [.mid, .side] }
    if parts.isEmpty { parts = [.all] }
    let amplitude = Double(Decibels.fader(values[Parameter.gain.rawValue]))
    let totals = parts.map { part in
      let points = frequencies.indices.map { index in
        let there = part.direction
        var left = Point(there.x * amplitude), right = Point(there.y * amplitude)
        for (band, curve) in zip(bands, curves) {
          let matrix = EqualizerPart.matrix(band.part), more = curve[index] - Point(1)
          let (moreLeft, moreRight) = (more * left, more * right)
          left = left + Point(matrix.x) * moreLeft + Point(matrix.z) * moreRight
          right = right + Point(matrix.y) * moreRight + Point(matrix.z) * moreLeft
        }
        return Point(there.x) * left + Point(there.y) * right
      }
      return FrequencyResponse.Curve(part.name, points)
    }
    return FrequencyResponse(
      at: frequencies, totals: totals, bands: zip(bands, curves).map { .init($0.part.name, $1) })
  }
}

/// The settings of a band at rest.
private struct EqualizerSetting {
  private let filter: Filter, order: Int, isEnabled: Bool
  let part: EqualizerPart.Part

  /// Reads the settings of a band from all values of the equalizer.
  init(_ band: Int, _ values: [Float], isStereo: Bool) {
    func value(_ parameter: Equalizer.BandParameter) -> Float {
      values[Equalizer.Parameter.band(band, parameter).rawValue]
    }
    filter = Filter(
      Filter.Kind(rawValue: Int(value(.type))) ?? .parametric, frequency: Double(value(.frequency)),
      bandwidth: Double(value(.bandwidth)), gain: Double(value(.gain)))
    order = Equalizer.order(slope: Int(value(.slope)))
    isEnabled = value(.enabled) >= 0.5
    part = isStereo ? EqualizerPart.Part(rawValue: Int(value(.channels))) ?? .all : .all
  }

  /// Returns the response of the band's filters.
  func curve(at frequencies: [Double], sampleRate: Double) -> [FrequencyResponse.Point] {
    guard isEnabled else { return frequencies.map { _ in .init(1) } }
    let sections = (0..<filter.sectionCount(order: order)).map {
      filter.coefficients(section: $0, order: order, sampleRate: sampleRate)
    }
    return frequencies.map { frequency in
      sections.reduce(.init(1)) { $0 * $1.response(at: 2 * .pi * frequency / sampleRate) }
    }
  }
}

extension EqualizerPart.Part {
  /// The left and right amplitude of a signal of power 1 that lies only in this part; for `all`, the first channel
  /// represents all.
  fileprivate var direction: SIMD2<Double> {
    let half = 0.707_106_781_186_547_5
    return switch self {
    case .all, .left: SIMD2(1, 0)
    case .right: SIMD2(0, 1)
    case .mid: SIMD2(half, half)
    case .side: SIMD2(half, -half)
    }
  }

  fileprivate var name: StaticString {
    switch self {
    case .all: "all"
    case .left: "left"
    case .right: "right"
    case .mid: "mid"
    case .side: "side"
    }
  }
}
