// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

extension PluginAudit {
  /// The block lengths that are tested: powers of two, odd lengths, and each change between them.
  private static var lengths: [Int] {
    [16, 32, 64, 128, 256, 512, 1024, 2048, 4096, 17, 63, 127, 255, 333, 1000, 1023, 4095, 16, 4096]
  }

  /// Runs blocks of all lengths, between guard pages.
  func auditLengths() throws(PluginError) {
    let least = model.shortestBlock ?? 1
    for placement in [GuardedBuffer.Placement.end, .start] {
      let edge = placement == .end ? "behind" : "before"
      if model.needsWholeBlocks {
        for length in Self.lengths where length.nonzeroBitCount == 1 && length >= max(least, 64) {
          action("run blocks of \(length) frames with a guard page \(edge) each buffer")
          let rig = try rig(.init(block: length))
          runLengths([length], rig, placement, edge)
        }
      } else {
        let rig = try rig()
        runLengths(Self.lengths.filter { $0 >= least }, rig, placement, edge)
      }
    }
  }

  private func runLengths(
    _ lengths: [Int], _ rig: AuditRig, _ placement: GuardedBuffer.Placement, _ edge: String
  ) {
    rig.placement = placement
    rig.marksOutputs = true
    for length in lengths {
      action("run blocks of \(length) frames with a guard page \(edge) each buffer")
      for _ in 0..<3 {
        rig.run(length, .noise())
        guard inspect(rig, "in a block of \(length) frames") else { return }
      }
    }
  }

  /// Runs at common sample rates.
  func auditRates() throws(PluginError) {
    for rate in [44_100.0, 88_200, 96_000, 176_400, 192_000] {
      action("make an instance for \(Int(rate)) Hz and run it")
      let rig = try rig(.init(rate: rate))
      for _ in 0..<(order.isThorough ? 400 : 40) {
        rig.run(rig.length(256), .noise())
        guard inspect(rig, "at \(Int(rate)) Hz") else { break }
      }
    }
  }
}
