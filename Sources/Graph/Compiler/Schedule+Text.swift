// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import SwiftletSignal

extension Schedule {
  /// The plan as text, for diagnostics and tests: one line per step, with the buffers that it reads and writes.
  var text: String {
    var lines = ["plan: \(entries.count) steps, \(bufferCount) buffers"]
    for region in allRegions {
      if region.longest != Int.max { lines.append("loop in slices of \(region.longest):") }
      for step in region.steps {
        let entry = entries[step]
        var line = region.longest == Int.max ? "  " : "    "
        line += label(of: step)
        let inputs = inputs(of: step), outputs = outputs(of: step)
        if !inputs.isEmpty { line += "  in " + inputs.map(name).joined(separator: " ") }
        if !outputs.isEmpty { line += "  out " + outputs.map(name).joined(separator: " ") }
        switch entry.kind {
        case .wire, .wireAdding:
          if entry.kind == .wireAdding { line += "  adding" }
          guard entry.strip >= 0 else { break }
          let targets = strips[Int(entry.strip)].targets
          if targets.level != 1 { line += "  × \(Self.rounded(targets.level))" }
          if targets.pan != 0, targets.law != PanLaws.nowhere { line += "  pan \(Self.rounded(targets.pan))" }
          if targets.delay > 0 { line += "  late \(targets.delay)" }
        case .node where entry.latency > 0: line += "  at \(entry.latency)"
        case .fade where entry.latency > 0: line += "  at \(entry.latency)"
        case .bypass where entry.delay > 0: line += "  late \(entry.delay)"
        default: break
        }
        if entry.lanes.count > 0 { line += "  lanes \(entry.lanes.count)" }
        lines.append(line)
      }
    }
    lines += warnings.map { "warning: \($0)" }
    return lines.joined(separator: "\n")
  }

  /// Returns the label of a step.
  func label(of step: Int) -> String {
    switch entries[step].label {
    case .text(let text): text
    case .wire(let carrier, let from, let to):
      "\(carrier.rawValue) \(nodes[Int(from)].name) -> \(nodes[Int(to)].name)"
    }
  }

  private func name(_ ref: Ref) -> String {
    let memory = memories[ref.memory]
    switch memory.location {
    case .silence: return "0"
    case .external(let number): return "i\(number)" + (ref.channel.map { "[\($0 + 1)]" } ?? "")
    case .externalOut(let number): return "o\(number)"
    case .events(let number): return "e\(number)"
    case .slab(let first):
      let channels = ref.channel.map { $0..<$0 + 1 } ?? 0..<memory.channels
      return "b" + channels.map { "\(slabBuffers[first + $0])" }.joined(separator: ",")
    }
  }

  private static func rounded(_ value: Float) -> Float { (value * 1000).rounded() / 1000 }
}
