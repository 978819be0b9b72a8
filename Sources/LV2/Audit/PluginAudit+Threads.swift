// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import CSwiftletLilv
internal import FoundationEssentials
internal import Glibc
internal import SwiftletThreads

extension AuditRig {
  /// The audio and CV outputs with their current buffers.
  var watchedOutputs: [ThreadClasses.WatchedOutput] {
    zip(outputs, played).map { buffer, block in
      ThreadClasses.WatchedOutput(symbol: buffer.port.symbol, memory: UnsafeBufferPointer(block))
    }
  }

  /// The ports of control outputs.
  private var controlOutputs: [PluginPort] { model.ports.filter { $0.kind == .control && !$0.isInput } }

  /// Fills all outputs with ``unwritten``.
  func plantOutputs() {
    for block in played { block.update(repeating: Self.unwritten) }
    for port in controlOutputs { self[port.index] = Self.unwritten }
  }

  /// The symbols of the outputs whose contents have changed since ``plantOutputs()``.
  var touchedOutputs: [String] {
    watchedOutputs.filter { port in
      port.memory.contains { $0.bitPattern != Self.unwritten.bitPattern }
    }.map(\.symbol)
      + controlOutputs.filter { self[$0.index].bitPattern != Self.unwritten.bitPattern }.map(\.symbol)
  }

  /// Connects the outputs to their current buffers again.
  func reconnectOutputs() {
    for (buffer, block) in zip(outputs, played) { plugin.connect(buffer.port.index, to: block.baseAddress) }
  }
}

extension PluginAudit {
  /// Detects outputs that are written outside `run`: by other functions, by `work`, and by the plugin's own threads.
  func auditThreads() throws(PluginError) {
    let before = Self.threadCount
    let rig = try rig()
    let block = rig.length(256)
    action("run, and look for outputs that 'work' writes to")
    rig.run(block, .noise())
    ThreadClasses.shared.watch(rig.watchedOutputs) {
      for _ in 0..<16 { rig.run(block, .noise()) }
    }
    // If the plugin has no thread of its own, none of its code runs now.
    if Self.threadCount > before + (rig.worker == nil ? 0 : 1) {
      for _ in 0..<4 {
        watchOutputs(of: rig, "while none of its functions runs") { Waiting.sleep(.milliseconds(40)) }
        rig.run(block, .noise())
      }
    }
    watchOutputs(of: rig, "in 'connect_port'") { rig.reconnectOutputs() }
    watchOutputs(of: rig, "in 'deactivate'") { watch.call("deactivate") { rig.plugin.deactivate() } }
    watchOutputs(of: rig, "in 'activate'") { watch.call("activate") { rig.plugin.activate() } }
    guard rig.hasState else { return }
    var state: StateSnapshot?
    watchOutputs(of: rig, "in 'save'") { state = rig.saved(watch) }
    guard let state else { return }
    watchOutputs(of: rig, "in 'restore'") { rig.restore(state, watch) }
  }

  private func watchOutputs(of rig: AuditRig, _ time: String, _ body: () -> Void) {
    action("look for outputs that are written \(time)")
    rig.plantOutputs()
    body()
    for symbol in rig.touchedOutputs {
      output.find(.fail, .threadClass, "it writes to its port '\(symbol)' \(time)")
    }
  }

  /// The number of threads of the process.
  private static var threadCount: Int {
    (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/task").count) ?? 0
  }
}
