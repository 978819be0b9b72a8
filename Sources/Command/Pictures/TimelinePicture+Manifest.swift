// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import Glibc
internal import Swiftlet
internal import SwiftletManifest

extension TimelinePicture {
  /// Creates the timeline of a manifest, with the waveforms of its files; nil if its duration is zero.
  ///
  /// - Parameters:
  ///   - initial: Returns the initial value of a parameter of the node with an index; nil for volumes and pans.
  ///   - waveform: Returns the columns of a part of a file, for each channel.
  /// - Throws: The errors of `initial` and `waveform`.
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

  /// Returns the marks of at most 25 bars.
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

/// Returns the value of a lane's target before the lane's first entry.
private func value(
  of target: ResolvedManifest.Lane.Target, _ parameter: ParameterInfo?,
  _ initial: (Int, String) throws -> Float?
) rethrows -> Float {
  switch target {
  case .node(let index, let symbol):
    try initial(index, symbol) ?? parameter?.initial ?? (symbol == "volume" ? 1 : 0)
  case .wire(_, let value): value == .pan ? 0 : 1
  }
}

extension TrackMix {
  /// The automations of the mix: volume, pan, ducking.
  fileprivate var all: [Automation] { [volume, pan] + (ducking.map { [$0] } ?? []) }
}

extension ResolvedManifest {
  /// Returns the names of a lane's target, and its description if it is a parameter.
  fileprivate func names(of target: Lane.Target) -> (name: String, value: String, ParameterInfo?) {
    switch target {
    case .node(let index, let symbol):
      (nodes[index].name, symbol, nodes[index].settable.first { $0.symbol == symbol })
    case .wire(let index, let value):
      ("\(nodes[wires[index].from.node].name) → \(nodes[wires[index].to.node].name)", "\(value)", nil)
    }
  }
}

extension TimelinePicture.Lane {
  /// Creates a row whose range is that of its values.
  fileprivate init(
    _ name: (of: String, value: String), _ parameter: ParameterInfo?, _ points: [TimelinePicture.Point]
  ) {
    let values = points.map(\.value), low = values.min() ?? 0, high = values.max() ?? 0
    // A constant value is drawn in the middle.
    let range = low < high ? low...high : low - 1...high + 1
    self.init(
      name: name.of, parameter: name.value, unit: parameter?.unit.written?.rawValue ?? "", range: range,
      isLogarithmic: parameter?.curve == .logarithmic && range.lowerBound > 0, points: points)
  }
}

/// A track of a composition, as opposed to a track of the picture.
typealias SwiftletTrack = Swiftlet.Track

extension SwiftletTrack {
  /// The number of clips, and the volume and state if they are not the defaults: `2 clips, off`.
  var note: String {
    var words = [Digits.count(segments.count, "clip")]
    if volume != 1 { words.append("× \(Digits.short(Double(volume)))") }
    if !isEnabled { words.append("off") }
    return words.joined(separator: ", ")
  }
}

extension TimelinePicture.Clip {
  /// Creates a clip without a waveform.
  fileprivate init(_ segment: Segment) {
    let path = segment.asset.path
    var name = path.split(separator: "/").last.map { String($0).shortened(to: 60) } ?? path
    // The speed is a 32-bit float, which may not be a round decimal number.
    let speed = (segment.speed * 1000).rounded() / 1000
    if speed != 1 { name += " × \(Digits.short(speed))" }
    self.init(start: segment.range.lowerBound.seconds, end: segment.range.upperBound.seconds, name: name)
  }

  fileprivate init(
    _ segment: Segment, of track: SwiftletTrack, _ mix: TrackMix, until end: MediaTime,
    _ waveform: (String, Range<MediaTime>, Int) throws -> [[WaveformOverview.Bucket]]
  ) throws {
    self.init(segment)
    let share = (self.end - start) / end.seconds
    let count = max(1, Int((share * Double(TimelinePicture.columns)).rounded()))
    columns = Self.merged(try waveform(segment.asset.path, segment.source, count))
    let length = segment.range.upperBound - segment.range.lowerBound
    gains = columns.indices.map { column in
      let time =
        segment.range.lowerBound + length.scaled(from: .seconds(2 * count), to: .seconds(2 * column + 1))
      return track.isEnabled ? Double(mix.gain(at: time) * track.volume) : 0
    }
  }

  /// Merges the channels: the extremes of all, and the mean power.
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
  /// Returns the curves of a mix. Without automation, only the volume has one.
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
