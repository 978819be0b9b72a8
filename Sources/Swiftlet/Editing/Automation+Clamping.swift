// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import SwiftletGraph
internal import SwiftletTimeline

extension Automation {
  /// Clamps its values to a range. Returns an event for each bound that lay outside.
  mutating func clamp(to range: ClosedRange<Float>, _ parameter: String, of name: String) -> [EngineEvent] {
    let asked = bounds
    self = clamped(to: range)
    return Set([asked.lowerBound, asked.upperBound]).filter { !range.contains($0) }.sorted().map { value in
      let edge = value < range.lowerBound ? range.lowerBound : range.upperBound
      return .clamped(node: name, parameter: parameter, asked: value, used: edge)
    }
  }
}

extension AudioMix {
  /// Clamps all volumes and pans to their ranges. Returns an event for each bound that lay outside.
  ///
  /// - Parameter master: the name of the mix's master in events.
  mutating func clamp(master: String) -> [EngineEvent] {
    var clamped: [EngineEvent] = []
    func clamp(_ mix: inout TrackMix, of name: String) {
      clamped += mix.volume.clamp(to: Lane.volumes, "volume", of: name)
      clamped += mix.pan.clamp(to: Graph.Wire.pans, "pan", of: name)
    }
    for track in tracks.keys.sorted(by: { $0.name < $1.name }) { clamp(&self[track], of: track.name) }
    clamp(&self.master, of: master)
    for path in lanes.keys.sorted(by: { $0.description < $1.description }) {
      let range = path.parameter == "pan" ? Graph.Wire.pans : Lane.volumes
      clamped += lanes[path]?.clamp(to: range, path.parameter, of: path.node) ?? []
    }
    return clamped
  }
}
