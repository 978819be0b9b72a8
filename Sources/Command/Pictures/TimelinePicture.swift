// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import Swiftlet

/// A timeline as it is to be drawn: plain values, so that what is drawn can be tested.
struct TimelinePicture: Equatable {
  /// A value at a time, in seconds.
  struct Point: Equatable {
    var time: Double
    var value: Double
  }

  /// How something moves over time.
  struct Curve: Equatable {
    /// What moves, which decides its colour.
    enum Kind: String, CaseIterable {
      case volume, ducking, pan, lane
    }

    /// What moves.
    var kind: Kind
    /// What it is from time to time; a jump is two points at one time.
    var points: [Point]
  }

  /// A piece of a sound file at its place.
  struct Clip: Equatable {
    /// When it begins and ends, in seconds.
    var start: Double, end: Double
    /// What is written on it.
    var name: String
    /// What its sound looks like, all channels in one.
    var columns: [WaveformOverview.Bucket] = []
    /// What the mix multiplies each column by.
    var gains: [Double] = []
  }

  /// A row of clips and what happens to them; of a picture there are clips alone.
  struct Track: Equatable {
    /// What it is called, and in smaller letters what else is to be known.
    var name: String, note = ""
    /// The pieces.
    var clips: [Clip] = []
    /// Volume and ducking, as factors from 0 up; pan from −1 to 1. Those that say anything.
    var curves: [Curve] = []
  }

  /// A row for a parameter of a node.
  struct Lane: Equatable {
    /// The node or wire, what of it moves, and the unit that this is counted in.
    var name: String, parameter: String, unit = ""
    /// The least and the greatest value that the row has room for.
    var range: ClosedRange<Double>
    /// Whether equal ways up the row are equal ratios.
    var isLogarithmic = false
    /// What it is from time to time.
    var points: [Point]
  }

  /// What the whole is called, and in smaller letters what else is to be known.
  var title = "", note = ""
  /// How long it is, in seconds.
  var duration = 0.0
  /// The rows.
  var tracks: [Track] = []
  /// The rows below them.
  var lanes: [Lane] = []
  /// Where bars begin, if the timeline has a tempo of its own.
  var bars: [TimeAxis.Mark] = []
}

extension TimelinePicture.Curve.Kind {
  /// What stands for it in the legend.
  var meaning: String {
    switch self {
    case .volume: "volume"
    case .ducking: "ducking"
    case .pan: "pan"
    case .lane: "parameter"
    }
  }
}

extension [TimelinePicture.Point] {
  /// The points of a line that moves as an automation does, from the start to an end.
  ///
  /// - Parameter columns: how many columns the picture has: a ramp has a point in each.
  init(_ automation: Automation, until end: MediaTime, columns: Int) {
    self = [Element(.zero, automation)]
    let entries = automation.entries
    for (place, entry) in entries.enumerated() where entry.range.lowerBound < end {
      let start = entry.range.lowerBound, length = entry.range.upperBound - start
      // The last value before it, so that a jump is drawn as one.
      if start > .zero { append(Element(time: start.seconds, value: before(start, automation))) }
      append(Element(start, automation))
      guard entry.isRamp else { continue }
      let cut = place + 1 < entries.count ? entries[place + 1].range.lowerBound : .latest
      let parts = Swift.max(
        1, Swift.min(columns, Int((length.seconds / end.seconds * Double(columns)).rounded(.up))))
      for part in 1...parts {
        let time = start + length.scaled(from: .seconds(parts), to: .seconds(part))
        guard time < cut, time < end else { break }
        append(Element(time, automation))
      }
    }
    append(Element(time: end.seconds, value: before(end, automation)))
  }

  private func before(_ time: MediaTime, _ automation: Automation) -> Double {
    // A moment that no ear and no picture tells from none.
    Double(automation.value(at: Swift.max(.zero, time - .microseconds(1))))
  }
}

extension TimelinePicture.Point {
  fileprivate init(_ time: MediaTime, _ automation: Automation) {
    self.init(time: time.seconds, value: Double(automation.value(at: time)))
  }
}
