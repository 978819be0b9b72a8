// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

extension BusLayout {
  /// Returns the taps on one side of a wire's fader.
  func taps(of wire: Int, _ side: Graph.Tap.Side) -> [Graph.Tap] {
    guard !parts.wireTaps.isEmpty else { return [] }
    return parts.wireTaps[wires[wire].id]?.filter { $0.side == side } ?? []
  }

  /// Adds the steps of the taps before a wire's fader.
  mutating func addTapsBeforeFader(_ index: Int) {
    for tap in taps(of: index, .before) {
      let wire = wires[index], from = parts.source(index)
      let tapped = scaled(
        source(of: index), to: stripLevels.targetsBeforeFader(of: wire), .tap(tap.id), isFresh: true,
        "trim of \(name(of: index))")
      let late = latency.arrival[from] + latency.own[from] + (wire.feedback == nil ? 0 : latency.wire[index])
      addTap(tap, tapped, lateBy: late, "before the fader of \(name(of: index))")
    }
  }

  /// Adds the steps of the taps after a wire's fader.
  mutating func addTapsAfterFader(_ index: Int, _ bus: Schedule.Ref) {
    for tap in taps(of: index, .after) {
      addTap(
        tap, bus, lateBy: latency.arrival[parts.destination(index)], "after the fader of \(name(of: index))")
    }
  }

  /// Returns a wire's or send's name for messages.
  func name(of wire: Int) -> String {
    let (carrier, from, to) = (carrier(wire), nodes[parts.source(wire)], nodes[parts.destination(wire)])
    return "\(carrier.rawValue) \(from.name) -> \(to.name)"
  }

  /// Returns the label of a wire's step.
  func label(of wire: Int, _ carrier: Schedule.Label.Carrier? = nil) -> Schedule.Label {
    .wire(
      carrier ?? self.carrier(wire), from: Int32(clamping: parts.source(wire)),
      to: Int32(clamping: parts.destination(wire)))
  }

  private func carrier(_ wire: Int) -> Schedule.Label.Carrier {
    wires[wire].id.strip == nil ? .wire : .send
  }
}
