// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import CSwiftletLilv
internal import FoundationEssentials
internal import Glibc
internal import SwiftletDisk
internal import SwiftletGraph

extension PluginAudit {
  /// Loads presets, runs some blocks with each, and transfers each through a file to another instance.
  func auditPresets() throws(PluginError) {
    let presets = try world.lock.locked { () throws(PluginError) in
      try world.lilv().presets(of: world.plugin(uri: model.uri))
    }
    output.measure("presets", Double(presets.count), "")
    guard !presets.isEmpty else { return }
    for preset in presets.prefix(order.isThorough ? presets.count : 8) {
      let name = "its preset '\(preset.label)'"
      action("load \(name)")
      let state = try world.lock.locked { () throws(PluginError) in
        try PluginState(of: preset.id, in: world.lilv(), lock: world.lock)
      }
      guard let state else {
        output.find(.warn, .preset, "\(name) cannot be read", [preset.id])
        continue
      }
      for (symbol, _) in state.values where !model.ports.contains(where: { $0.symbol == symbol }) {
        output.find(.warn, .preset, "\(name) has a value for '\(symbol)', which is no port")
      }
      let rig = try rig()
      rig.restore(state, watch)
      for _ in 0..<8 {
        rig.run(rig.length(256), .noise())
        guard inspect(rig, "with \(name)", limit: 1_000_000) else { return }
      }
      compareControls(rig, state.values, "with \(name)", .preset)
      try auditRoundTrip(rig, name, .preset)
      if rig.hasState { try compareSound(with: state, name) }
    }
  }

  /// Saves an instance's state in a file, as hosts do, and restores it in another instance. The control inputs must
  /// have the same values.
  func auditRoundTrip(_ one: AuditRig, _ name: String, _ check: AuditCheck) throws(PluginError) {
    let values = controls(of: one)
    guard let state = try reread(one, name, check), let two = try? rig() else { return }
    action("restore \(name) from its file in another instance of the plugin")
    two.restore(state, watch)
    two.run(two.length(256), .noise())
    compareControls(two, values, "after \(name) was saved, read and restored", check)
  }

  /// Checks that a preset and the state saved with it sound the same, if the preset alone is reproducible.
  private func compareSound(with preset: PluginState, _ name: String) throws(PluginError) {
    /// The output of a new instance with a state.
    func play(_ state: PluginState) throws(PluginError) -> [[Float]] {
      let rig = try rig()
      rig.restore(state, watch)
      return rig.play(12_000, .noise())
    }
    let saved = try rig()
    saved.restore(preset, watch)
    for _ in 0..<8 { saved.run(saved.length(256), .silence) }
    guard let state = try reread(saved, name, .preset) else { return }
    action("run with \(name), and with the state that was saved with it")
    let first = try play(preset)
    guard Self.difference(first, try play(preset)) == nil,
      let difference = Self.difference(first, try play(state)), difference > -60
    else { return }
    output.find(
      .warn, .preset, "the state that it saves with \(name) sounds different",
      ["the difference is \(Int(difference.rounded())) dB of the peak"])
  }

  /// The values of an instance's control inputs.
  private func controls(of rig: AuditRig) -> [(symbol: String, value: Float)] {
    model.ports.filter(\.isParameter).map { ($0.symbol, rig[$0.index]) }
  }

  private func compareControls(
    _ rig: AuditRig, _ values: [(symbol: String, value: Float)], _ context: String, _ check: AuditCheck
  ) {
    let now = Dictionary(controls(of: rig).map { ($0.symbol, $0.value) }) { $1 }
    var lines: [String] = []
    for (symbol, value) in values {
      guard let there = now[symbol], there != value else { continue }
      lines.append("'\(symbol)' is \(there) instead of \(value)")
    }
    guard !lines.isEmpty else { return }
    output.find(
      .warn, check, "its control inputs have other values \(context)", Array(lines.prefix(12)))
  }

  /// Writes an instance's state to a file and reads it; nil if there is no folder for it or it cannot be read.
  private func reread(_ rig: AuditRig, _ name: String, _ check: AuditCheck) throws(PluginError)
    -> PluginState?
  {
    guard let path = order.folder, let folder = try? OpenFolder(path + "/state", makes: true) else {
      return nil
    }
    action("save \(name) in a file")
    let paths = StatePaths(folder)
    let snapshot =
      rig.hasState
      ? watch.call("save") { StateSnapshot(savedBy: rig.plugin, paths: paths.features(rig.files)) } : nil
    var turtle = StateTurtle()
    do throws(StateTurtle.Fault) {
      try turtle.add(snapshot, of: model.uri, subject: "", values: controls(of: rig))
    } catch {
      output.find(
        .note, check, "\(name) cannot be written as text",
        ["its property <\(error.property)> has the type <\(error.type)>"])
      return nil
    }
    guard (try? NewFile.write(turtle.file, to: "state.ttl", in: folder)) != nil else { return nil }
    let state = try world.lock.locked { () throws(PluginError) in
      try PluginState(file: folder.path(of: "state.ttl"), in: world.lilv(), lock: world.lock)
    }
    if state == nil { output.find(.warn, check, "\(name) cannot be read from the file it was saved in") }
    return state
  }
}
