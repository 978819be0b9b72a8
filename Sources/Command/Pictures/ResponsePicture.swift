// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import Glibc
internal import Swiftlet
internal import SwiftletGraph
internal import SwiftletSignal

/// The frequency response of an effect as plain values, so that tests can check the drawing.
struct ResponsePicture: Equatable {
  /// A line with a level in decibels at each of ``frequencies``.
  struct Line: Equatable {
    /// The label in the legend.
    var label: String
    /// The gain at each frequency in dB; −infinity for no output.
    var decibels: [Double]
  }

  /// A band with its line and the position of its number.
  struct Band: Equatable {
    /// The band's number, from 1.
    var number: Int
    /// The band's line.
    var line: Line
    /// The band's own frequency in Hz and the gain there in dB; nil for a band without a frequency.
    var mark: (frequency: Double, decibels: Double)?

    static func == (a: Band, b: Band) -> Bool {
      a.number == b.number && a.line == b.line && a.mark?.frequency == b.mark?.frequency
        && a.mark?.decibels == b.mark?.decibels
    }
  }

  /// The frequencies of the points: 20 Hz to 20 kHz, logarithmically spaced.
  static let frequencies = (0...480).map { 20 * pow(1000, Double($0) / 480) }

  /// The title, and a note in smaller letters.
  var title = "", note = ""
  /// The lines of the whole effect; several if it filters parts of the signal, such as mid and side, separately.
  var totals: [Line] = []
  /// The bands that are not neutral.
  var bands: [Band] = []
}

extension ResponsePicture {
  /// Creates the response of a node with its current parameters; nil if the effect does more than filter.
  init?(_ node: AudioNode, title: String) {
    let symbol = node.info?.bands?.symbol ?? "bands", parameters = node.parameterInfos
    let bandParameters = (0..<Self.most).map { band in
      parameters.filter { $0.symbol.hasPrefix("\(symbol)[\(band + 1)].") }.map {
        (info: $0, value: node[$0.symbol] ?? 0)
      }
    }
    let marks = bandParameters.map { $0.first { $0.info.unit == .hertz }.map { Double($0.value) } }
    guard
      let response = node.response(at: Self.frequencies + marks.map { $0 ?? 0 })
    else { return nil }
    let count = Self.frequencies.count
    self.title = title
    note = "at \(Self.hertz(node.engine.sampleRate))"
    totals = response.totals.map { total in
      Line(label: "\(total.part)", decibels: total.points.prefix(count).map(\.decibels))
    }
    for (index, curve) in response.bands.enumerated() where index < bandParameters.count {
      let line = Line(
        label: Self.label(bandParameters[index]), decibels: curve.points.prefix(count).map(\.decibels))
      guard curve.points.prefix(count).contains(where: { $0 != .init(1) }) else { continue }
      let mark = marks[index].map { (frequency: $0, decibels: curve.points[count + index].decibels) }
      bands.append(Band(number: index + 1, line: line, mark: mark))
    }
  }

  /// A limit above the number of bands of any effect.
  private static let most = 64

  /// Returns a band's label: `high-pass 90 Hz, slope 24`.
  private static func label(_ parameters: [(info: ParameterInfo, value: Float)]) -> String {
    var words: [String] = [], more: [String] = []
    for (info, value) in parameters {
      let name = String(info.symbol.split(separator: ".").last ?? "")
      switch info.curve {
      case .choice:
        guard let choice = info.choices.first(where: { $0.value == value })?.name else { continue }
        if words.isEmpty {
          words.append(choice)
        } else if value != info.initial {
          more.append("\(name) \(choice)")
        }
      case .toggle: continue
      default:
        if info.unit == .hertz { words.append(hertz(Double(value))) }
        if info.unit == .decibels && value != info.initial {
          words.append("\(value > 0 ? "+" : "−")\(Digits.short(Double(abs(value)))) dB")
        }
      }
    }
    return ([words.joined(separator: " ")] + more).joined(separator: ", ")
  }

  /// Returns a frequency as text: `90 Hz`, `1.2 kHz`.
  static func hertz(_ value: Double) -> String {
    value < 1000
      ? "\(Digits.short((value * 10).rounded() / 10)) Hz"
      : "\(Digits.short((value / 10).rounded() / 100)) kHz"
  }
}
