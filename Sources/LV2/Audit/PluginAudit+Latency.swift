// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import Glibc
internal import SwiftletThreads

/// The pulse that a plugin outputs for an impulse.
private struct Pulse {
  /// The delay in frames.
  let delay: Int
  /// Whether the pulse is hardly longer than one sample, so that the delay is exact.
  let isSharp: Bool

  /// Finds the single pulse of a response from a frame on; nil for any other response, whose latency cannot be
  /// measured reliably.
  init?(_ sound: [Float], from start: Int) {
    let response = sound.dropFirst(start)
    let energy = response.reduce(0.0) { $0 + Double($1) * Double($1) }
    guard energy > 1e-10, energy.isFinite,
      let peak = response.indices.max(by: { abs(response[$0]) < abs(response[$1]) })
    else { return nil }
    let pulse = response[max(peak - 16, start)..<min(peak + 17, sound.count)]
      .reduce(0.0) { $0 + Double($1) * Double($1) }
    guard pulse > energy * 0.9 else { return nil }
    delay = peak - start
    isSharp = Double(response[peak]) * Double(response[peak]) > energy * 0.5
  }
}

extension PluginAudit {
  /// The longest latency that is tested, in frames.
  private static var longestLatency: Int { 1_000_000 }
  /// The maximum number of settings with a wrong latency that are reported.
  private static var mostReported: Int { 8 }

  /// Compares the reported latency with the measured one.
  func auditLatency() throws(PluginError) {
    action("run with an impulse")
    let rig = try rig()
    // Some plugins report their latency only after they have run for a while.
    var sound = rig.play(9600, .silence)
    let start = rig.frame
    let late = min(rig.latency ?? 0, Self.longestLatency)
    for (channel, more) in rig.play(late + 48_000, .impulse(at: rig.frame)).enumerated() {
      sound[channel] += more
    }
    if let stated = rig.latency { output.measure("latency-stated", Double(stated), "frames") }
    var error = 0
    if let pulse = isInstrument ? nil : sound.first.flatMap({ Pulse($0, from: start) }) {
      report(pulse, stated: rig.latency)
      error = rig.latency.map { $0 - pulse.delay } ?? 0
    }
    if rig.latency != nil { try auditLatencyChanges(butFor: error) }
  }

  private func report(_ pulse: Pulse, stated: Int?) {
    output.measure("latency-measured", Double(pulse.delay), "frames")
    guard let stated else {
      // A delay effect delays intentionally.
      if pulse.delay > 1 {
        output.find(
          .note, .latency,
          "it states no latency, and an impulse comes out \(pulse.delay) frames late, which is intended if the plugin is a delay"
        )
      }
      return
    }
    if abs(stated - pulse.delay) > 1 {
      output.find(
        .warn, .latency,
        "it states a latency of \(stated) frames, and an impulse comes out \(pulse.delay) frames late")
    }
  }

  /// Compares the reported and measured latency with each parameter at both ends of its range.
  ///
  /// - Parameter known: The error of the reported latency at the defaults, which is already reported.
  private func auditLatencyChanges(butFor known: Int) throws(PluginError) {
    let rig = try rig(), block = rig.length(256)
    let end = SystemClock.seconds(of: CLOCK_PROCESS_CPUTIME_ID) + order.cpuTime / 6
    var changed: [String] = [], found = 0, tried = 0
    let settings = parameters().prefix(200).flatMap { parameter in parameter.ends.map { (parameter.port, $0) }
    }
    for (port, setting) in settings {
      guard SystemClock.seconds(of: CLOCK_PROCESS_CPUTIME_ID) < end else { break }
      tried += 1
      action("change '\(port.symbol)' to \(setting.value), and run with an impulse")
      rig.resetControls()
      for _ in 0..<4 { rig.run(block, .silence) }
      let before = rig.latency
      rig[port.index] = setting.value
      for _ in 0..<4 { rig.run(block, .silence) }
      if let now = rig.latency, let before, now != before {
        changed.append("'\(port.symbol)' at \(setting.value): \(before) to \(now) frames")
      }
      guard !isInstrument, found < Self.mostReported, let (stated, pulse) = pulse(rig) else { continue }
      // The peak of a filter's response comes later than its first sample.
      let error = stated - pulse.delay
      guard error != known, abs(error) > (pulse.isSharp ? 1 : 16) else { continue }
      found += 1
      output.find(
        .warn, .latency,
        "with '\(port.symbol)' at its \(setting.name) \(setting.value) it states a latency of \(stated) frames, "
          + "and an impulse comes out \(pulse.delay) frames late")
    }
    if tried < settings.count {
      output.find(
        .note, .skipped,
        "the latency was measured at only \(tried) of \(settings.count) parameter settings: the CPU time was used up"
      )
    }
    guard !changed.isEmpty else { return }
    output.find(.note, .latencyChange, "its latency changes with its parameters", Array(changed.prefix(12)))
  }

  /// The reported latency and the measured pulse of an instance at its current settings; nil if they cannot be
  /// determined.
  private func pulse(_ rig: AuditRig) -> (stated: Int, pulse: Pulse)? {
    // Lets earlier input decay, and parameters settle.
    _ = rig.play(min(rig.latency ?? 0, Self.longestLatency) + 4800, .silence)
    guard let stated = rig.latency, stated <= Self.longestLatency else { return nil }
    let sound = rig.play(stated + 12_000, .impulse(at: rig.frame))
    guard rig.latency == stated, let pulse = sound.first.flatMap({ Pulse($0, from: 0) }) else { return nil }
    return (stated, pulse)
  }
}
