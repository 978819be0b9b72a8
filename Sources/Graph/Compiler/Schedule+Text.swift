// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import SwiftletSignal

extension Schedule {
  /// The plan for people and tests: a line a step, with the buffers it reads and writes.
  var text: String {
    var lines = ["plan: \(entries.count) steps, \(bufferCount) buffers"]
    for region in allRegions {
      if region.longest != Int.max { lines.append("loop in slices of \(region.longest):") }
      for step in region.steps {
        let entry = entries[step]
        var line = region.longest == Int.max ? "  " : "    "
        line += entry.label
        if !entry.inputs.isEmpty { line += "  in " + entry.inputs.map(name).joined(separator: " ") }
        if !entry.outputs.isEmpty { line += "  out " + entry.outputs.map(name).joined(separator: " ") }
        switch entry.kind {
        case .wire, .wireAdding:
          if entry.kind == .wireAdding { line += "  adding" }
          guard let place = entry.place else { break }
          if place.level != 1 { line += "  × \(Self.rounded(place.level))" }
          if place.pan != 0, place.law != PanLaws.nowhere { line += "  pan \(Self.rounded(place.pan))" }
          if place.delay > 0 { line += "  late \(place.delay)" }
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

  private func name(_ ref: Ref) -> String {
    let memory = memories[ref.memory]
    let channels = ref.channel.map { [$0] } ?? Array(0..<memory.channels)
    switch memory.place {
    case .silence: return "0"
    case .external(let number): return "i\(number)" + (ref.channel.map { "[\($0 + 1)]" } ?? "")
    case .externalOut(let number): return "o\(number)"
    case .events(let number): return "e\(number)"
    case .slab(let buffers): return "b" + channels.map { "\(buffers[$0])" }.joined(separator: ",")
    }
  }

  private static func rounded(_ value: Float) -> Float { (value * 1000).rounded() / 1000 }
}
