// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import SwiftletGraph
internal import SwiftletLV2
internal import SwiftletThreads
internal import Synchronization

/// The programs that MIDI has asked for, and whose presets are not loaded yet.
struct ProgramLoading {
  /// The last one of each plugin.
  var wanted: [NodeID: ProgramChange] = [:]
  /// Whether a thread loads them.
  var isUnderWay = false
}

extension AudioEngine {
  /// Loads the presets that MIDI has asked for: on a thread of its own, since that may take a plugin seconds. Offline
  /// the render waits for them, so that it repeats.
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

  /// Loads the preset of one plugin; false when no more is asked for.
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
    let name = core.withLock { $0.name(id) }
    do throws(PluginError) {
      let presets = try plugin.world.info(uri: plugin.uri, sampleRate: sampleRate).presets
      guard let preset = ProcessorInfo.Preset.find(bank: change.bank, program: change.program, among: presets)
      else {
        hub.send(
          .warning("'\(name)' has no preset for program \(change.program + 1) of bank \(change.bank + 1)"))
        return true
      }
      let values = try PluginOutput.attributed(to: name, in: plugin.world) { () throws(PluginError) in
        try plugin.load(preset: preset.id, isPlaying: { mayBePlaying(id) })
      }
      for value in values { try? send(value.value, to: value.number, of: id, over: 0, at: nil) }
    } catch {
      hub.send(.warning("'\(name)' does not change its program: \(error.reason)"))
    }
    return true
  }
}
