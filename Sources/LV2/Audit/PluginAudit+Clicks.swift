// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import Glibc
internal import SwiftletSignal

extension PluginAudit {
  /// Changes parameters abruptly while a sine of 220 Hz plays. A click is a step much steeper than the signal before
  /// and after it.
  func auditClicks() throws(PluginError) {
    guard !isInstrument else { return }
    let rig = try rig()
    var clicks: [String] = []
    let smooth = model.ports.filter {
      $0.isParameter && [.linear, .logarithmic].contains($0.curve(over: $0.range(sampleRate: 48_000).range))
        && $0.minimum != nil && $0.maximum != nil
    }
    for port in smooth.prefix(order.isThorough ? 200 : 24) {
      let (range, initial) = port.range(sampleRate: 48_000)
      let middle = range.lowerBound + (range.upperBound - range.lowerBound) / 2
      let target =
        abs(initial - middle) > (range.upperBound - range.lowerBound) / 8 ? middle : range.upperBound
      action("change '\(port.symbol)' from \(initial) to \(target) while a sine plays")
      rig.resetControls()
      if let click = click(rig, port.index, target) {
        clicks.append("'\(port.symbol)' from \(initial) to \(target): \(click)")
      }
    }
    if !clicks.isEmpty {
      output.find(.note, .click, "it clicks when a parameter changes", Array(clicks.prefix(12)))
    }
    guard let bypass = model.ports.first(where: { $0.role == .enabled && $0.isInput }) else { return }
    action("turn it off and on while a sine plays")
    rig.resetControls()
    if let click = click(rig, bypass.index, 0) {
      output.find(.note, .click, "it clicks when it is turned off by its port '\(bypass.symbol)'", [click])
    }
  }

  /// Changes a control input, and detects a step.
  ///
  /// - Returns: The height of the step; nil if there is no click.
  private func click(_ rig: AuditRig, _ port: Int, _ target: Float) -> String? {
    let sine = AuditSignal.sine(220, rate: 48_000), settling = 9600, length = 2048
    _ = rig.play(settling, sine)
    let before = rig.play(length, sine)
    rig[port] = target
    let change = rig.play(length, sine)
    _ = rig.play(settling, sine)
    let after = rig.play(length, sine)
    var worst: Float = 0
    for channel in change.indices {
      guard let last = before[channel].last else { continue }
      let usual = max(Self.steepest(before[channel]), Self.steepest(after[channel]))
      let step = Self.steepest([last] + change[channel])
      // -40 dBFS, and six times the slope of the sine itself.
      if step > 0.01, step > usual * 6 { worst = max(worst, step) }
    }
    return worst > 0 ? "a step of \(SoundFacts.level(Double(worst)))" : nil
  }

  /// The largest difference between adjacent samples.
  private static func steepest(_ sound: [Float]) -> Float {
    zip(sound, sound.dropFirst()).reduce(0) { max($0, abs($1.1 - $1.0)) }
  }

  /// Measures the time of `run`.
  func auditCost() throws(PluginError) {
    action("measure what it costs")
    let rig = try rig()
    let block = rig.length(256), count = (order.isThorough ? 480_000 : 48_000) / block + 1
    for _ in 0..<8 { rig.run(block, .noise()) }
    var sum = 0.0, worst = 0.0
    for _ in 0..<count {
      rig.run(block, .noise())
      sum += rig.cost
      worst = max(worst, rig.cost)
    }
    output.measure("cost-mean", sum / Double(count) / Double(block) * 1e9, "ns/frame")
    output.measure("cost-worst", worst / Double(block) * 1e9, "ns/frame")
  }
}
