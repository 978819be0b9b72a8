// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import Swiftlet

/// The drawing of a timeline as plain values, so that tests can check it.
struct TimelinePicture: Equatable {
  /// A value at a time in seconds.
  struct Point: Equatable {
    var time: Double
    var value: Double
  }

  /// An automation curve.
  struct Curve: Equatable {
    /// The automated value, which selects the colour.
    enum Kind: String, CaseIterable {
      case volume, ducking, pan, lane
    }

    /// The automated value.
    var kind: Kind
    /// The points of the curve. A jump has two points at the same time.
    var points: [Point]
  }

  /// A clip of a sound file or a movie.
  struct Clip: Equatable {
    /// The start and end in seconds.
    var start: Double, end: Double
    /// The label.
    var name: String
    /// The waveform, with all channels merged.
    var columns: [WaveformOverview.Bucket] = []
    /// The gain of the mix for each column, as a factor.
    var gains: [Double] = []
  }

  /// A row of clips with their curves. A video track has clips only.
  struct Track: Equatable {
    /// The name, and a note in smaller letters.
    var name: String, note = ""
    /// The clips.
    var clips: [Clip] = []
    /// The curves: volume and ducking as factors from 0, pan from −1 to 1.
    var curves: [Curve] = []
  }

  /// A row for an automation lane.
  struct Lane: Equatable {
    /// The node or wire, the automated parameter, and its unit.
    var name: String, parameter: String, unit = ""
    /// The range of values in the row.
    var range: ClosedRange<Double>
    /// Whether the scale is logarithmic.
    var isLogarithmic = false
    /// The points of the curve.
    var points: [Point]
  }

  /// The title, and a note in smaller letters.
  var title = "", note = ""
  /// The duration in seconds.
  var duration = 0.0
  /// The rows of tracks.
  var tracks: [Track] = []
  /// The rows of automation lanes, below the tracks.
  var lanes: [Lane] = []
  /// The starts of bars; empty if the timeline has no tempo of its own.
  var bars: [TimeAxis.Mark] = []
}

extension TimelinePicture.Curve.Kind {
  /// The label in the legend.
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
  /// Creates the points of an automation from the start to an end.
  ///
  /// - Parameter columns: The picture's number of columns. A ramp has a point in each.
  init(_ automation: Automation, until end: MediaTime, columns: Int) {
    self = [Element(.zero, automation)]
    let entries = automation.entries
    for (index, entry) in entries.enumerated() where entry.range.lowerBound < end {
      let start = entry.range.lowerBound, length = entry.range.upperBound - start
      // The last value before the entry, so that a jump is vertical.
      if start > .zero { append(Element(time: start.seconds, value: before(start, automation))) }
      append(Element(start, automation))
      guard entry.isRamp else { continue }
      let cut = index + 1 < entries.count ? entries[index + 1].range.lowerBound : .latest
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
    // One microsecond before is far below the picture's resolution.
    Double(automation.value(at: Swift.max(.zero, time - .microseconds(1))))
  }
}

extension TimelinePicture.Point {
  fileprivate init(_ time: MediaTime, _ automation: Automation) {
    self.init(time: time.seconds, value: Double(automation.value(at: time)))
  }
}
