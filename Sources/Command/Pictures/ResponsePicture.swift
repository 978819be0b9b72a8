// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import Glibc
internal import Swiftlet
internal import SwiftletGraph
internal import SwiftletSignal

/// What an effect does to each frequency, as it is to be drawn: plain values, so that what is drawn can be
/// tested.
struct ResponsePicture: Equatable {
  /// A line: decibels at each of ``frequencies``.
  struct Line: Equatable {
    /// What stands for it in the legend.
    var label: String
    /// How much louder each frequency comes out; −infinity where nothing does.
    var decibels: [Double]
  }

  /// A band: its line, and a point on it that bears its number.
  struct Band: Equatable {
    /// Its number, from 1.
    var number: Int
    /// Its line.
    var line: Line
    /// The band's own frequency in hertz and what it does there; nil for a band without one.
    var mark: (frequency: Double, decibels: Double)?

    static func == (a: Band, b: Band) -> Bool {
      a.number == b.number && a.line == b.line && a.mark?.frequency == b.mark?.frequency
        && a.mark?.decibels == b.mark?.decibels
    }
  }

  /// Where the lines have points: 20 Hz to 20 kHz at equal ratios.
  static let frequencies = (0...480).map { 20 * pow(1000, Double($0) / 480) }

  /// What the whole is called, and in smaller letters what else is to be known.
  var title = "", note = ""
  /// What the whole effect does; more than one line where parts of the sound are treated for themselves.
  var totals: [Line] = []
  /// The bands that do something.
  var bands: [Band] = []
}

extension ResponsePicture {
  /// The picture of a node as its parameters stand; nil where its effect does more than filter.
  init?(_ node: AudioNode, title: String) {
    let symbol = node.info?.bands?.symbol ?? "bands", parameters = node.parameterInfos
    let knobs = (0..<Self.most).map { band in
      parameters.filter { $0.symbol.hasPrefix("\(symbol)[\(band + 1)].") }.map {
        (info: $0, value: node[$0.symbol] ?? 0)
      }
    }
    let marks = knobs.map { $0.first { $0.info.unit == .hertz }.map { Double($0.value) } }
    guard
      let response = node.response(at: Self.frequencies + marks.map { $0 ?? 0 })
    else { return nil }
    let count = Self.frequencies.count
    self.title = title
    note = "at \(Self.hertz(node.engine.sampleRate))"
    totals = response.totals.map { total in
      Line(label: "\(total.part)", decibels: total.points.prefix(count).map(\.decibels))
    }
    for (place, curve) in response.bands.enumerated() where place < knobs.count {
      let line = Line(label: Self.label(knobs[place]), decibels: curve.points.prefix(count).map(\.decibels))
      guard curve.points.prefix(count).contains(where: { $0 != .init(1) }) else { continue }
      let mark = marks[place].map { (frequency: $0, decibels: curve.points[count + place].decibels) }
      bands.append(Band(number: place + 1, line: line, mark: mark))
    }
  }

  /// More bands than any effect has.
  private static let most = 64

  /// `high-pass 90 Hz, slope 24`.
  private static func label(_ knobs: [(info: ParameterInfo, value: Float)]) -> String {
    var words: [String] = [], more: [String] = []
    for (info, value) in knobs {
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

  /// `90 Hz`, `1.2 kHz`.
  static func hertz(_ value: Double) -> String {
    value < 1000
      ? "\(Digits.short((value * 10).rounded() / 10)) Hz"
      : "\(Digits.short((value / 10).rounded() / 100)) kHz"
  }
}
