// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import Glibc
internal import Swiftlet
internal import SwiftletManifest

extension TimelinePicture {
  /// The timeline of a manifest, with the waveforms of its files; nil where nothing of it moves.
  ///
  /// - Parameters:
  ///   - initial: what a parameter of a node, by its place, is before anything is said of it; nil for volumes
  ///     and pans.
  ///   - waveform: gives the columns of part of a file, channel by channel.
  /// - Throws: what `initial` and `waveform` throw.
  init?(
    _ manifest: ResolvedManifest, initial: (_ node: Int, _ parameter: String) throws -> Float?,
    waveform: (_ path: String, Range<MediaTime>, _ columns: Int) throws -> [[WaveformOverview.Bucket]]
  ) throws {
    let tracks = manifest.nodes.compactMap { node -> (String, SwiftletTrack, TrackMix)? in
      guard case .track(let track, let mix) = node.kind else { return nil }
      return (node.name, track, mix)
    }
    let lanes = try manifest.lanes.map { lane in
      let (name, symbol, parameter) = manifest.names(of: lane.target)
      return (
        name: (name, symbol), parameter, try lane.automation(from: value(of: lane.target, parameter, initial))
      )
    }
    let moves = manifest.master.all + lanes.map(\.2)
    let ends =
      [manifest.video.duration] + tracks.map(\.1.duration)
      + moves.compactMap { $0.entries.last?.range.upperBound }
    guard let end = ends.max(), end > .zero else { return nil }
    title = manifest.name
    duration = end.seconds
    note = "\(Digits.clock(duration)), \(Digits.count(tracks.count, "track"))"
    bars = Self.bars(manifest.tempo, until: end)
    if !manifest.video.isEmpty {
      let clips = manifest.video.clips.map { Clip($0) }
      self.tracks.append(Track(name: "video", note: Digits.count(clips.count, "clip"), clips: clips))
    }
    for (name, track, mix) in tracks {
      var row = Track(name: name, note: track.note)
      row.clips = try track.segments.map { try Clip($0, of: track, mix, until: end, waveform) }
      row.curves = Curve.all(of: mix, until: end)
      self.tracks.append(row)
    }
    if manifest.master != TrackMix() {
      self.tracks.append(
        Track(name: "master", note: "all tracks", curves: Curve.all(of: manifest.master, until: end)))
    }
    self.lanes = lanes.map { Lane($0, $1, [Point]($2, until: end, columns: Self.columns)) }
  }

  /// As many bars as can be read.
  private static func bars(_ tempo: TempoMap?, until end: MediaTime) -> [TimeAxis.Mark] {
    guard let tempo, let last = tempo.position(at: end)?.bar else { return [] }
    var step = 1
    while (last - 1) / step > 24 { step *= 2 }
    return stride(from: 1, through: last, by: step).compactMap { bar in
      (try? tempo.time(of: BarBeat(bar: bar, beat: 1))).map {
        TimeAxis.Mark(time: $0.seconds, label: "\(bar)")
      }
    }
  }
}

/// What a lane moves before anything is said of it.
private func value(
  of target: ResolvedManifest.Lane.Target, _ parameter: ParameterInfo?,
  _ initial: (Int, String) throws -> Float?
) rethrows -> Float {
  switch target {
  case .node(let place, let symbol):
    try initial(place, symbol) ?? parameter?.initial ?? (symbol == "volume" ? 1 : 0)
  case .wire(_, let value): value == .pan ? 0 : 1
  }
}

extension TrackMix {
  /// All that moves.
  fileprivate var all: [Automation] { [volume, pan] + (ducking.map { [$0] } ?? []) }
}

extension ResolvedManifest {
  /// What a lane moves, for people, and what is known of it where it is a parameter.
  fileprivate func names(of target: Lane.Target) -> (name: String, value: String, ParameterInfo?) {
    switch target {
    case .node(let place, let symbol):
      (nodes[place].name, symbol, nodes[place].settable.first { $0.symbol == symbol })
    case .wire(let place, let value):
      ("\(nodes[wires[place].from.node].name) → \(nodes[wires[place].to.node].name)", "\(value)", nil)
    }
  }
}

extension TimelinePicture.Lane {
  /// A row that is as high as its values are apart.
  fileprivate init(
    _ name: (of: String, value: String), _ parameter: ParameterInfo?, _ points: [TimelinePicture.Point]
  ) {
    let values = points.map(\.value), low = values.min() ?? 0, high = values.max() ?? 0
    // A value that never moves stands in the middle.
    let range = low < high ? low...high : low - 1...high + 1
    self.init(
      name: name.of, parameter: name.value, unit: parameter?.unit.written?.rawValue ?? "", range: range,
      isLogarithmic: parameter?.curve == .logarithmic && range.lowerBound > 0, points: points)
  }
}

/// A track of a composition, not of the picture.
typealias SwiftletTrack = Swiftlet.Track

extension SwiftletTrack {
  /// How many pieces it has, and what keeps them from being heard as they are: `2 pieces, off`.
  var note: String {
    var words = [Digits.count(segments.count, "piece")]
    if volume != 1 { words.append("× \(Digits.short(Double(volume)))") }
    if !isEnabled { words.append("off") }
    return words.joined(separator: ", ")
  }
}

extension TimelinePicture.Clip {
  /// A clip of a movie, or a piece of which nothing is drawn yet.
  fileprivate init(_ segment: Segment) {
    let path = segment.asset.path
    var name = path.split(separator: "/").last.map { String($0).shortened(to: 60) } ?? path
    // The float that a speed is need not be a round number.
    let speed = (segment.speed * 1000).rounded() / 1000
    if speed != 1 { name += " × \(Digits.short(speed))" }
    self.init(start: segment.place.lowerBound.seconds, end: segment.place.upperBound.seconds, name: name)
  }

  fileprivate init(
    _ segment: Segment, of track: SwiftletTrack, _ mix: TrackMix, until end: MediaTime,
    _ waveform: (String, Range<MediaTime>, Int) throws -> [[WaveformOverview.Bucket]]
  ) throws {
    self.init(segment)
    let share = (self.end - start) / end.seconds
    let count = max(1, Int((share * Double(TimelinePicture.columns)).rounded()))
    columns = Self.merged(try waveform(segment.asset.path, segment.source, count))
    let length = segment.place.upperBound - segment.place.lowerBound
    gains = columns.indices.map { column in
      let time =
        segment.place.lowerBound + length.scaled(from: .seconds(2 * count), to: .seconds(2 * column + 1))
      return track.isEnabled ? Double(mix.gain(at: time) * track.volume) : 0
    }
  }

  /// All channels in one: the furthest of their ends, and their mean power.
  static func merged(_ channels: [[WaveformOverview.Bucket]]) -> [WaveformOverview.Bucket] {
    (0..<(channels.map(\.count).min() ?? 0)).map { column in
      let all = channels.map { $0[column] }
      let power = all.reduce(0) { $0 + $1.rms * $1.rms } / Float(all.count)
      return WaveformOverview.Bucket(
        low: all.map(\.low).min() ?? 0, high: all.map(\.high).max() ?? 0, rms: power.squareRoot())
    }
  }
}

extension TimelinePicture.Curve {
  /// What a mix says over time; of what never moves, only a volume.
  fileprivate static func all(of mix: TrackMix, until end: MediaTime) -> [Self] {
    var curves = [Self(.volume, mix.volume, end)]
    if let ducking = mix.ducking { curves.append(Self(.ducking, ducking, end)) }
    if mix.pan != Automation(0) { curves.append(Self(.pan, mix.pan, end)) }
    return curves
  }

  private init(_ kind: Kind, _ automation: Automation, _ end: MediaTime) {
    self.init(kind: kind, points: .init(automation, until: end, columns: TimelinePicture.columns))
  }
}
