// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

/// What the values of a graph's wires come to, with solo, and for sends what their strips say.
struct StripBoard {
  private let silenced: Set<Wire.ID>
  /// Strips that have sends.
  private let strips: [Wire.ID: Wire]
  private let sampleRate: Double

  init(_ graph: Graph, sampleRate: Double) {
    self.sampleRate = sampleRate
    silenced = graph.silenced
    let sending = Set(graph.wires.compactMap(\.id.stripID))
    strips = Dictionary(
      uniqueKeysWithValues: graph.wires.filter { sending.contains($0.id) }.map { ($0.id, $0) })
  }

  /// Where a wire is to be that is so late, by its own values and those of its strip.
  func place(of wire: Wire, delay: Int) -> WirePlace {
    var place = WirePlace(
      fader: Wire.factor(wire.gain), faderFrames: frames(wire.glide), lead: Wire.factor(wire.trim),
      leadFrames: frames(wire.glide), gate: gate(wire), delay: Int32(clamping: delay))
    if let pan = wire.pan { (place.pan, place.law) = (pan, Int32(wire.panLaw.number)) }
    if let strip = wire.id.stripID.flatMap({ strips[$0] }) {
      place.lead *= Wire.factor(strip.trim) * (wire.isPreFader ? 1 : Wire.factor(strip.gain))
      place.leadFrames = frames(strip.glide)
      place.gate *= gate(strip)
    }
    return place
  }

  /// What comes to a wire's fader, muted or not: its trim and phase, and for a send its strip.
  func placeBeforeFader(of wire: Wire) -> WirePlace {
    var open = wire
    (open.gain, open.isMuted, open.pan) = (0, false, nil)
    var place = place(of: open, delay: 0)
    if place.gate == 0, wire.id.strip == nil { place.gate = wire.isInverted ? -1 : 1 }
    return place
  }

  /// Where a mixer is to be, behind all that it mixed.
  func place(of mixer: Graph.Node) -> WirePlace {
    WirePlace(fader: Wire.factor(mixer.gain), faderFrames: frames(mixer.glide))
  }

  private func gate(_ wire: Wire) -> Float {
    wire.isMuted || silenced.contains(wire.id) ? 0 : wire.isInverted ? -1 : 1
  }

  private func frames(_ glide: Double) -> Int32 { Int32(clamping: Int64(glide * sampleRate)) }
}
