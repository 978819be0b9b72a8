// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import CSwiftletRealtime
internal import Glibc
internal import SwiftletThreads

extension PluginAudit {
  /// Whether the plugin generates sound by itself, so that its output for silent input is not meaningful.
  var isInstrument: Bool {
    model.isSource || model.ports.contains { $0.isInput && $0.supports.contains(Name.midiEvent) }
      || !model.ports.contains { $0.isInput && $0.kind == .audio }
  }

  /// Runs with silence, noise, full scale, NaN and denormals at the inputs.
  func auditInput() throws(PluginError) {
    action("run with silence")
    let silent = try rig()
    let quiet = play(silent, 24_000, .silence, "with silence at its inputs")
    action("run with noise at -12 dBFS")
    let noisy = play(try rig(), 48_000, .noise(), "with noise at -12 dBFS")
    if !isInstrument {
      auditOffset(quiet, "with silence at its inputs", .warn)
      auditOffset(noisy, "with noise at its inputs, which has none", .note)
      let rest = quiet.flatMap { $0.suffix(4800) }
      output.measure("silence", 20 * log10(max(Double(SoundFacts(rest).peak), 1e-10)), "dBFS")
    }
    action("run with noise at full scale")
    _ = play(try rig(), 24_000, .noise(1), "with noise at full scale")
    action("run with a square wave at full scale")
    _ = play(
      try rig(), 12_000, AuditSignal { frame, _ in frame / 100 % 2 == 0 ? 1 : -1 }, "with a square wave")
    action("run with denormal input")
    _ = play(try rig(), 12_000, .constant(Float(bitPattern: 0x0001_0000)), "with denormal input")
    try auditRecovery()
    try auditDenormals()
  }

  private func play(_ rig: AuditRig, _ frames: Int, _ signal: AuditSignal, _ context: String) -> [[Float]] {
    var sound = rig.outputs.map { _ in [Float]() }
    while rig.frame < frames {
      rig.run(rig.length(256), signal)
      for (channel, block) in rig.played.enumerated() { sound[channel] += block }
      guard inspect(rig, context) else { break }
    }
    return sound
  }

  private func auditOffset(_ sound: [[Float]], _ context: String, _ verdict: AuditVerdict) {
    for (buffer, channel) in zip(model.ports.filter { $0.kind == .audio && !$0.isInput }, sound) {
      let mean = abs(SoundFacts(channel.suffix(channel.count / 2)).mean)
      guard mean > 0.003 else { continue }
      output.find(
        verdict, .dcOffset,
        "its output '\(buffer.symbol)' has a DC offset of \(SoundFacts.level(mean)) \(context)")
    }
  }

  /// Runs one block of NaN, then a second of noise: an effect should recover.
  private func auditRecovery() throws(PluginError) {
    guard !isInstrument else { return }
    action("run with a block of NaN at its inputs")
    let rig = try rig()
    let block = rig.length(256)
    rig.run(block, .constant(.nan))
    while rig.frame < 48_000 { rig.run(block, .noise()) }
    let isLost = rig.played.contains { SoundFacts($0).notFinite > 0 }
    if isLost {
      output.find(
        .note, .recovery, "a second after a block of NaN at its inputs its output is still not finite")
    }
  }

  /// Runs noise, then silence, without flushing denormals: in hosts that do not flush them, they increase the load.
  private func auditDenormals() throws(PluginError) {
    guard !isInstrument else { return }
    action("run with noise and then silence, without flushing denormals")
    let rig = try rig()
    let block = rig.length(256), length = order.isThorough ? 480_000 : 96_000
    let mode = rt_float_mode()
    rt_set_float_mode(AuditChild.plainFloatMode)
    defer { rt_set_float_mode(mode) }
    var count = 0, first = 0.0, worst = 0.0
    while rig.frame < length {
      let start = SystemClock.seconds(of: CLOCK_THREAD_CPUTIME_ID)
      rig.run(block, rig.frame < 9600 ? .noise() : .silence)
      let time = SystemClock.seconds(of: CLOCK_THREAD_CPUTIME_ID) - start
      if rig.frame <= 9600 { first += time * Double(block) / 9600 } else { worst = max(worst, time) }
      count += rig.played.map { SoundFacts($0).denormals }.reduce(0, +)
    }
    guard count > 0 else { return }
    output.find(
      .note, .denormals, "its output decays into denormal numbers where the host does not flush them",
      ["\(count) samples of \(length)"])
  }
}
