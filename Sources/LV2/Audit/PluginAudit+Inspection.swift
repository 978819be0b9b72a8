// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import Glibc

/// Statistics of a signal's samples.
struct SoundFacts {
  var peak: Float = 0
  var mean = 0.0
  var notFinite = 0
  var denormals = 0

  init(_ sound: some Collection<Float>) {
    var sum = 0.0, count = 0
    for sample in sound {
      guard sample.isFinite else {
        notFinite += 1
        continue
      }
      if sample.isSubnormal { denormals += 1 }
      peak = max(peak, abs(sample))
      sum += Double(sample)
      count += 1
    }
    mean = count > 0 ? sum / Double(count) : 0
  }

  /// A level in dBFS, as text.
  static func level(_ value: Double) -> String {
    value > 0 ? "\(Int((20 * log10(value)).rounded())) dBFS" : "silence"
  }
}

extension PluginAudit {
  /// The level above which output counts as runaway: +40 dBFS.
  static var runaway: Float { 100 }

  /// Checks the last block of an instance.
  ///
  /// - Returns: Whether the instance can continue, that is, whether its output is finite.
  @discardableResult
  func inspect(_ rig: AuditRig, _ context: String, limit: Float = PluginAudit.runaway) -> Bool {
    var isFinite = true
    for (buffer, block) in zip(rig.outputs, rig.played) {
      let symbol = buffer.port.symbol
      if rig.marksOutputs { inspectUnwritten(block, symbol, context) }
      let facts = SoundFacts(block)
      if facts.notFinite > 0 {
        isFinite = false
        output.find(
          .fail, .notFinite, "its output '\(symbol)' has samples that are not finite (NaN or infinite)",
          [context])
      } else if facts.peak > limit, !rig.marksOutputs {
        output.find(
          .warn, .runaway,
          "the level of its output '\(symbol)' rises above \(SoundFacts.level(Double(limit)))",
          ["\(SoundFacts.level(Double(facts.peak))), \(context)"])
      }
    }
    if !rig.setup.isInPlace { inspectBounds(rig, context) }
    if let fault = rig.events.fault(frames: rig.played.first?.count ?? rig.inputBlocks.first?.count ?? 4096) {
      output.find(.fail, .events, fault.text, [fault.detail, context])
    }
    return isFinite
  }

  private func inspectBounds(_ rig: AuditRig, _ context: String) {
    for (buffer, block) in zip(rig.inputs + rig.outputs, rig.inputBlocks + rig.played)
    where !buffer.isIntact(behind: block) {
      output.find(
        .fail, .bounds, "it writes past the end of the buffer of its port '\(buffer.port.symbol)'", [context])
    }
  }

  private func inspectUnwritten(
    _ block: UnsafeMutableBufferPointer<Float>, _ symbol: String, _ context: String
  ) {
    let missing = block.count { $0.bitPattern == AuditRig.unwritten.bitPattern }
    guard missing > 0 else { return }
    output.find(
      .fail, .unwritten,
      missing == block.count
        ? "it does not write its output '\(symbol)'" : "it writes only a part of its output '\(symbol)'",
      ["\(missing) of \(block.count) frames, \(context)"])
  }
}
