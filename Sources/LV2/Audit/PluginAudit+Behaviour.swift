// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import Glibc

extension PluginAudit {
  /// The largest difference between two signals relative to the peak of the first, in decibels; nil if they are
  /// bit-identical.
  static func difference(_ one: [[Float]], _ other: [[Float]]) -> Double? {
    var peak = 0.0, most = 0.0, isSame = true
    for (one, other) in zip(one, other) {
      for (a, b) in zip(one, other) {
        peak = max(peak, abs(Double(a)))
        guard a.bitPattern != b.bitPattern else { continue }
        isSame = false
        let distance = abs(Double(a) - Double(b))
        most = max(most, distance.isFinite ? distance : .greatestFiniteMagnitude)
      }
    }
    if isSame { return nil }
    return 20 * log10(max(most, 1e-30) / max(peak, 1e-6))
  }

  /// Runs two instances at the same time with the same input.
  func auditDeterminism() throws(PluginError) {
    action("run two instances with the same input")
    let one = try rig()
    guard let two = try? rig() else { return }
    var sounds: ([[Float]], [[Float]]) = (one.outputs.map { _ in [] }, two.outputs.map { _ in [] })
    for _ in 0..<94 {
      one.run(one.length(256), .noise())
      two.run(two.length(256), .noise())
      for channel in one.played.indices {
        sounds.0[channel] += one.played[channel]
        sounds.1[channel] += two.played[channel]
      }
    }
    guard let difference = Self.difference(sounds.0, sounds.1) else { return }
    output.find(
      .note, .determinism, "two instances with the same input output different sound",
      ["the difference is \(Int(difference.rounded())) dB of the peak"])
  }

  /// An instance's output for half a second of noise; nil for a plugin that is not deterministic.
  private func reference(block: Int) throws(PluginError) -> [[Float]]? {
    let one = try rig(.init(block: block)).play(24_000, block: block, .noise())
    let two = try rig(.init(block: block)).play(24_000, block: block, .noise())
    return Self.difference(one, two) == nil ? one : nil
  }

  /// Compares blocks of 64 frames with blocks of 1024.
  func auditBlockSize() throws(PluginError) {
    action("run with blocks of 64 and of 1024 frames")
    guard let short = try reference(block: 64) else { return }
    let long = try rig(.init(block: 1024)).play(24_000, block: 1024, .noise())
    guard let difference = Self.difference(short, long), difference > -60 else { return }
    output.find(
      .note, .blockSize, "its sound depends on the length of blocks",
      ["64 against 1024 frames: the difference is \(Int(difference.rounded())) dB of the peak"])
  }

  /// Runs with inputs and outputs in the same buffers, unless the plugin forbids it.
  func auditInPlace() throws(PluginError) {
    let hasBoth = [true, false].allSatisfy { isInput in
      model.ports.contains { ($0.kind == .audio || $0.kind == .cv) && $0.isInput == isInput }
    }
    guard hasBoth, !model.uses(Name.inPlaceBroken) else { return }
    action("run with inputs and outputs in the same buffers")
    guard let apart = try reference(block: 256) else { return }
    let rig = try rig(.init(isInPlace: true))
    let together = rig.play(24_000, .noise())
    guard let difference = Self.difference(apart, together), difference > -90 else { return }
    output.find(
      .fail, .inPlace,
      "it sounds different when an output has the buffer of an input, and does not state inPlaceBroken",
      ["the difference is \(Int(difference.rounded())) dB of the peak"])
  }
}
