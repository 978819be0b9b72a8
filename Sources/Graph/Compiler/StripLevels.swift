// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import SwiftletSignal
import SwiftletTimeline

/// Computes the target values of a graph's wires, including solo, and for sends the values of their strips.
struct StripLevels {
  private let silenced: Set<Graph.Wire.ID>
  /// Strips that have sends.
  private let strips: [Graph.Wire.ID: Graph.Wire]
  /// The pan law of each pan lane: the wire's or the lane's.
  private let laws: [Lane.Owner: PanLaw]
  private let sampleRate: Double

  init(_ graph: Graph, sampleRate: Double) {
    self.sampleRate = sampleRate
    silenced = graph.silenced
    let sending = Set(graph.wires.compactMap(\.id.stripID))
    strips = Dictionary(
      uniqueKeysWithValues: graph.wires.filter { sending.contains($0.id) }.map { ($0.id, $0) })
    laws = Dictionary(
      graph.lanes.filter { $0.target.value == .pan }.map { lane in
        guard case .wire(let id) = lane.target.owner else { return (lane.target.owner, lane.panLaw) }
        return (lane.target.owner, graph.wire(id)?.panLaw ?? .usual)
      }, uniquingKeysWith: { first, _ in first })
  }

  /// Returns the target values of a wire with a delay, from its own values and those of its strip.
  func targets(of wire: Graph.Wire, delay: Int) -> StripTargets {
    var targets = StripTargets(
      fader: Graph.Wire.factor(wire.gain), faderFrames: frames(wire.glide),
      preFaderGain: Graph.Wire.factor(wire.trim),
      preFaderGainFrames: frames(wire.glide), gate: gate(wire), delay: Int32(clamping: delay))
    if let pan = wire.pan {
      targets.pan = pan
      // If a lane pans the wire, the fader before the wire does so.
      if laws[.wire(wire.id)] == nil { targets.law = Int32(wire.panLaw.number) }
    }
    if let strip = wire.id.stripID.flatMap({ strips[$0] }) {
      targets.preFaderGain *=
        Graph.Wire.factor(strip.trim) * (wire.isPreFader ? 1 : Graph.Wire.factor(strip.gain))
      targets.preFaderGainFrames = frames(strip.glide)
      // `gate(wire)` already covers a strip that is silenced by solo.
      if strip.isMuted { targets.gate = 0 }
      if strip.isInverted { targets.gate = -targets.gate }
    }
    return targets
  }

  /// Returns the targets at the input of a wire's fader, muted or not: its trim and phase, and for a send its strip's
  /// values.
  func targetsBeforeFader(of wire: Graph.Wire) -> StripTargets {
    var open = wire
    (open.gain, open.isMuted, open.pan) = (0, false, nil)
    var targets = targets(of: open, delay: 0)
    if targets.gate == 0, wire.id.strip == nil { targets.gate = wire.isInverted ? -1 : 1 }
    return targets
  }

  /// Returns the targets of a mixer, applied to its sum.
  func targets(of mixer: Graph.Node) -> StripTargets {
    StripTargets(fader: Graph.Wire.factor(mixer.gain), faderFrames: frames(mixer.glide))
  }

  /// Returns the targets of a lane's fader: only the pan law, if the lane pans.
  func targets(of faded: Lane.Owner) -> StripTargets {
    StripTargets(law: Int32(laws[faded]?.number ?? PanLaws.nowhere))
  }

  private func gate(_ wire: Graph.Wire) -> Float {
    wire.isMuted || silenced.contains(wire.id) ? 0 : wire.isInverted ? -1 : 1
  }

  private func frames(_ glide: Double) -> Int32 { Int32(clamping: Int64(glide * sampleRate)) }
}
