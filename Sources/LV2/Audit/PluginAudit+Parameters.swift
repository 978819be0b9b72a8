// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import SwiftletSignal

/// The random numbers of an audit: SplitMix64, reproducible on every machine.
struct AuditGenerator: RandomNumberGenerator {
  private var state: UInt64
  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}

extension PluginAudit {
  /// A control input with the end values of its range that its description declares.
  struct Parameter {
    var port: PluginPort
    var ends: [(name: String, value: Float)]

    init(_ port: PluginPort, rate: Double) {
      self.port = port
      let range = port.range(sampleRate: rate).range
      let isToggle = port.curve(over: range) == .toggle
      ends = []
      if port.minimum != nil || isToggle { ends.append(("minimum", range.lowerBound)) }
      if port.maximum != nil || isToggle { ends.append(("maximum", range.upperBound)) }
    }
  }

  /// The level above which output with any setting counts as runaway: +120 dBFS, since gains may add up.
  private static var runawayAtEnds: Float { 1_000_000 }
  /// The maximum number of faulty settings that are reported.
  private static var mostReported: Int { 8 }

  func parameters(rate: Double = 48_000) -> [Parameter] {
    model.ports.filter(\.isParameter).map { Parameter($0, rate: rate) }
  }

  /// Tests each parameter at its end values with the others at their defaults, then random combinations of end values.
  func auditParameters() throws(PluginError) {
    let all = parameters()
    guard !all.isEmpty else { return }
    var rig: AuditRig? = try rig(), found = 0
    let blocks = order.isThorough ? 16 : 2
    for parameter in all.prefix(order.isThorough ? all.count : 400) {
      for end in parameter.ends {
        let setting = "'\(parameter.port.symbol)' at its \(end.name) \(end.value)"
        action("run with \(setting)")
        guard let now = rig ?? (try? self.rig()) else { return }
        rig = now
        now.resetControls()
        now[parameter.port.index] = end.value
        if let fault = run(now, blocks: blocks) {
          rig = nil
          found += 1
          if found <= Self.mostReported {
            output.find(
              fault.check == .notFinite ? .fail : .warn, fault.check, "with \(setting) \(fault.text)")
          }
        }
      }
    }
    try auditCorners(all, blocks: blocks)
  }

  private func auditCorners(_ all: [Parameter], blocks: Int) throws(PluginError) {
    var generator = AuditGenerator(seed: order.seed), rig: AuditRig? = try rig()
    var found: [(fault: Fault, settings: String)] = []
    let count = order.isThorough ? 512 : 64
    for number in 1...count {
      guard let now = rig ?? (try? self.rig()) else { return }
      rig = now
      var settings: [String] = []
      now.resetControls()
      for parameter in all {
        guard let end = parameter.ends.randomElement(using: &generator) else { continue }
        now[parameter.port.index] = end.value
        settings.append("\(parameter.port.symbol)=\(end.value)")
      }
      action("run with random corner \(number): \(settings.prefix(60).joined(separator: " "))")
      guard let fault = run(now, blocks: blocks) else { continue }
      rig = nil
      found.append((fault, "corner \(number): \(settings.joined(separator: " "))"))
    }
    for (check, verdict) in [(AuditCheck.notFinite, AuditVerdict.fail), (.runaway, .warn)] {
      let some = found.filter { $0.fault.check == check }
      guard let first = some.first else { continue }
      output.find(
        verdict, check,
        "in \(some.count) of \(count) random corners of its parameters \(first.fault.text)",
        some.prefix(Self.mostReported).map(\.settings))
    }
  }

  /// A fault in the output.
  private typealias Fault = (check: AuditCheck, text: String)

  /// Runs some blocks of noise.
  ///
  /// - Returns: The fault in the output; nil if there is none.
  private func run(_ rig: AuditRig, blocks: Int) -> Fault? {
    for _ in 0..<blocks {
      rig.run(rig.length(256), .noise())
      for (buffer, block) in zip(rig.outputs, rig.played) {
        let facts = SoundFacts(block)
        if facts.notFinite > 0 {
          return (.notFinite, "its output '\(buffer.port.symbol)' is not finite (NaN or infinite)")
        }
        if facts.peak > Self.runawayAtEnds {
          return (.runaway, "the level of its output '\(buffer.port.symbol)' rises above +120 dBFS")
        }
      }
    }
    return nil
  }
}
