// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

/// The part that a wire has in the fade of an edit.
struct WireMotion: OptionSet {
  let rawValue: UInt8

  /// The wire starts silent.
  static let entering = WireMotion(rawValue: 1)
  /// The wire stays silent for now.
  static let held = WireMotion(rawValue: 2)
  /// The wire fades to silence.
  static let leaving = WireMotion(rawValue: 4)
}

extension Compiler.Transition {
  /// Returns the motion of each wire of a list, by index. Empty if no wire moves.
  func motions(_ wires: IndexedList<Graph.Wire>) -> [WireMotion] {
    var motions: [WireMotion] = []
    for (moving, motion) in [(entering, WireMotion.entering), (held, .held), (leaving, .leaving)] {
      for id in moving {
        guard let index = wires.index(of: id) else { continue }
        if motions.isEmpty { motions = Array(repeating: [], count: wires.elements.count) }
        motions[index].insert(motion)
      }
    }
    return motions
  }
}

extension ProcessorStore {
  /// Returns the processor of each wire of a list, by index. Empty if no wire has one.
  func running(_ list: IndexedList<Graph.Wire>) -> [WireProcessor?] {
    guard !wires.isEmpty else { return [] }
    var running = [WireProcessor?](repeating: nil, count: list.elements.count)
    for (id, processor) in wires {
      if let index = list.index(of: id) { running[index] = processor }
    }
    return running
  }
}

extension BusLayout {
  /// Returns a wire's motion.
  func motion(of wire: Int) -> WireMotion { motions.isEmpty ? [] : motions[wire] }

  /// Returns the wire's processor from the previous plan; nil if the wire had no step.
  func runningProcessor(of wire: Int) -> WireProcessor? { running.isEmpty ? nil : running[wire] }
}
