// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import Glibc

extension PluginAudit {
  /// The largest difference of two sounds relative to the peak of the first, in decibels; nil where they are the same bits.
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

  /// Two instances, at the same time, with the same input.
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
      .note, .determinism, "two instances with the same input play different sound",
      ["the difference is \(Int(difference.rounded())) dB of the peak"])
  }

  /// What an instance plays in half a second of noise; nil for a plugin that does not play the same twice.
  private func reference(block: Int) throws(PluginError) -> [[Float]]? {
    let one = try rig(.init(block: block)).play(24_000, block: block, .noise())
    let two = try rig(.init(block: block)).play(24_000, block: block, .noise())
    return Self.difference(one, two) == nil ? one : nil
  }

  /// Blocks of 64 frames against blocks of 1024.
  func auditBlockSize() throws(PluginError) {
    action("run with blocks of 64 and of 1024 frames")
    guard let short = try reference(block: 64) else { return }
    let long = try rig(.init(block: 1024)).play(24_000, block: 1024, .noise())
    guard let difference = Self.difference(short, long), difference > -60 else { return }
    output.find(
      .note, .blockSize, "its sound depends on the length of blocks",
      ["64 against 1024 frames: the difference is \(Int(difference.rounded())) dB of the peak"])
  }

  /// Inputs and outputs in the same buffers, unless the plugin forbids it.
  func auditInPlace() throws(PluginError) {
    let hasBoth = [true, false].allSatisfy { isInput in
      model.ports.contains { ($0.kind == .audio || $0.kind == .cv) && $0.isInput == isInput }
    }
    guard hasBoth, !model.asks(Name.inPlaceBroken) else { return }
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

  /// The longest latency that is waited for, in frames.
  private static var longestLatency: Int { 1_000_000 }

  /// The latency that it states, and where an impulse comes out.
  func auditLatency() throws(PluginError) {
    action("run with an impulse")
    let rig = try rig()
    // Some state their latency only after they have run for a while.
    var sound = rig.play(9600, .silence)
    let start = rig.frame
    let late = min(rig.latency ?? 0, Self.longestLatency)
    for (channel, more) in rig.play(late + 48_000, .impulse(at: rig.frame)).enumerated() {
      sound[channel] += more
    }
    if let stated = rig.latency { output.measure("latency-stated", Double(stated), "frames") }
    try auditLatencyChanges()
    guard !isInstrument, let first = sound.first else { return }
    let response = first.dropFirst(start)
    let energy = response.reduce(0.0) { $0 + Double($1) * Double($1) }
    guard energy > 1e-10, let peak = response.indices.max(by: { abs(response[$0]) < abs(response[$1]) })
    else { return }
    // Only a response that is one pulse has a latency that can be measured for certain.
    let pulse = response[max(peak - 16, start)..<min(peak + 17, first.count)]
      .reduce(0.0) { $0 + Double($1) * Double($1) }
    guard pulse > energy * 0.9 else { return }
    let measured = peak - start
    output.measure("latency-measured", Double(measured), "frames")
    guard let stated = rig.latency else {
      // A delay is meant to be late.
      if measured > 1 {
        output.find(
          .note, .latency,
          "it states no latency, and an impulse comes out \(measured) frames late, as a delay's should")
      }
      return
    }
    if abs(stated - measured) > 1 {
      output.find(
        .warn, .latency,
        "it states a latency of \(stated) frames, and an impulse comes out \(measured) frames late")
    }
  }

  /// Which parameters change the stated latency.
  private func auditLatencyChanges() throws(PluginError) {
    let rig = try rig()
    rig.run(rig.length(256), .noise())
    guard rig.latency != nil else { return }
    var changed: [String] = []
    for parameter in parameters().prefix(200) {
      rig.resetControls()
      for _ in 0..<4 { rig.run(rig.length(256), .noise()) }
      let before = rig.latency
      for end in parameter.ends {
        action("change '\(parameter.port.symbol)' to \(end.value) and read the latency")
        rig[parameter.port.index] = end.value
        for _ in 0..<4 { rig.run(rig.length(256), .noise()) }
        guard let now = rig.latency, let before, now != before else { continue }
        changed.append("'\(parameter.port.symbol)' at \(end.value): \(before) to \(now) frames")
      }
    }
    guard !changed.isEmpty else { return }
    output.find(.note, .latencyChange, "its latency changes with its parameters", Array(changed.prefix(12)))
  }
}
