// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import SwiftletGraph
internal import SwiftletLV2
internal import SwiftletThreads
internal import Synchronization

/// The MIDI program changes whose presets or programs are not loaded yet.
struct ProgramLoading {
  /// The latest program change of each plugin.
  var wanted: [NodeID: ProgramChange] = [:]
  /// Whether a thread is loading presets.
  var isUnderWay = false
}

extension AudioEngine {
  /// Loads the presets of program changes, on a thread of its own since a plugin may take seconds. Offline the render
  /// waits for them, so that it is reproducible.
  func loadPrograms() {
    let mustStart = core.withLock { core in
      guard !core.programs.wanted.isEmpty, !core.programs.isUnderWay else { return false }
      core.programs.isUnderWay = true
      return true
    }
    guard mustStart else { return }
    if isOffline {
      while loadNextProgram() {}
    } else {
      startThread("swiftlet-presets") { [weak self] in
        while let engine = self, engine.loadNextProgram() { _ = consume engine }
      }
    }
  }

  /// Loads the preset of one plugin; returns false if no program change is left.
  private func loadNextProgram() -> Bool {
    let next = core.withLock { core -> (id: NodeID, change: ProgramChange, plugin: PluginProcessor?)? in
      guard !isClosed, let id = core.programs.wanted.keys.min(),
        let change = core.programs.wanted.removeValue(forKey: id)
      else {
        core.programs.isUnderWay = false
        return nil
      }
      return (id, change, core.records[id]?.plugin)
    }
    guard let (id, change, plugin) = next else { return false }
    guard let plugin else { return true }
    do throws(PluginError) {
      let presets = try plugin.world.info(uri: plugin.uri, sampleRate: sampleRate).presets
      if let preset = ProcessorInfo.Preset.find(bank: change.bank, program: change.program, among: presets) {
        try load(preset.id, into: plugin, of: id)
      } else if plugin.programs.contains(where: { $0.change == change }) {
        try select(change, in: plugin, of: id)
      } else {
        warn(id, "has no preset for program \(change.program + 1) of bank \(change.bank + 1)")
      }
    } catch {
      warn(id, "ignored a program change: \(error.reason)")
    }
    return true
  }

  private func warn(_ id: NodeID, _ text: String) {
    broadcaster.send(.warning("'\(core.withLock { $0.name(id) })' \(text)"))
  }
}
