// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import SwiftletGraph
internal import SwiftletLV2
internal import SwiftletThreads
internal import Synchronization

/// The period that a plugin is fitted to.
struct BlockLengthFit {
  /// The period that the plugin was last fitted to, or that it could not be fitted to; nil for the one it was
  /// attached at.
  var period: Int?
  /// The period of a new instance that is still fading in; nil if there is none.
  var coming: Int?
  var isSilent = false
  /// The period that the plugin was made for; nil offline.
  var made: Int?
}

/// The engine's fitting of plugins to JACK's period.
struct PluginFitting {
  /// JACK's period as it was reported last, in frames.
  var period: Int?
  /// Whether a thread is fitting plugins to the period.
  var isUnderWay = false
}

extension AudioEngine {
  /// Starts a thread that makes all plugins that rely on the block length again for this period, which may take a
  /// plugin seconds. If the period changes meanwhile, the thread continues with the newest one.
  func fitPlugins(to period: Int) {
    let mustStart = core.withLock { core in
      core.fitting.period = period
      defer { core.fitting.isUnderWay = true }
      return !core.fitting.isUnderWay
    }
    guard mustStart else { return }
    startThread("swiftlet-period") { [weak self] in
      while let engine = self, engine.fitNext() {
        _ = consume engine
        Waiting.sleep(Housekeeper.Rest.editing)
      }
    }
  }

  /// Fits plugins that were made for a period other than JACK's present one, when their nodes are attached or
  /// restored.
  func fitNewPlugins() {
    guard let now = jackClient?.blockLength else { return }
    let isLate = core.withLock { core in
      core.roster.plugins.contains { id, _ in
        core.records[id].map { ($0.fit.period ?? $0.fit.made) != now } ?? false
      }
    }
    if isLate { fitPlugins(to: now) }
  }

  /// Tries once to fit each plugin that does not fit. Returns false if there are none left.
  private func fitNext() -> Bool {
    guard !isClosed else { return false }
    let unfit = core.withLock { core -> [NodeID] in
      let unfit = core.records.filter { _, record in
        record.plugin != nil && (record.fit.coming != nil || record.fit.period != core.fitting.period)
      }
      core.fitting.isUnderWay = !unfit.isEmpty
      return unfit.keys.sorted()
    }
    for id in unfit { refit(id) }
    return !unfit.isEmpty
  }

  private func refit(_ id: NodeID) {
    let state = core.withLock {
      core -> (plugin: PluginProcessor, name: String, period: Int, event: EngineEvent?)? in
      let isPlaying = core.mayBePlaying(id)
      guard let plugin = core.records[id]?.plugin, let period = core.fitting.period,
        plugin.finishRefit(isPlaying: { isPlaying })
      else { return nil }
      return (plugin, core.name(id), period, core.finishFit(id))
    }
    guard let state else { return }
    state.plugin.freeSpent()
    if let event = state.event { broadcaster.send(event) }
    let result = Result { () throws(PluginError) in
      try PluginOutput.attributed(to: state.name) { () throws(PluginError) in
        try state.plugin.refit(to: state.period) { core.withLock { $0.mayBePlaying(id) } }
      }
    }
    let event = core.withLock { core in core.noteFit(of: id, to: state.period, result) }
    if let event { broadcaster.send(event) }
  }
}

extension EngineCore {
  /// Returns whether an audio thread may be running a node's processor: JACK's, or the one that renders offline.
  func mayBePlaying(_ id: NodeID) -> Bool {
    newProcessors[id] == nil && staged[id] == nil && (isActive ? !controller.isAtRest : offline.isRendering)
  }

  /// Ends the fade to a plugin's new instance. Returns the event to report, if there was one.
  mutating func finishFit(_ id: NodeID) -> EngineEvent? {
    guard let period = records[id]?.fit.coming else { return nil }
    records[id]?.fit.coming = nil
    return .pluginRefitted(node: name(id), period: period, isNew: true)
  }

  /// Records the result of fitting a plugin to a period. Returns the event to report now.
  mutating func noteFit(
    of id: NodeID, to period: Int, _ result: Result<PluginProcessor.Refit, PluginError>
  ) -> EngineEvent? {
    guard var record = records[id], let plugin = record.plugin else { return nil }
    defer { records[id] = record }
    let wasSilent = record.fit.isSilent
    switch result {
    case .success(.busy): return nil
    case .success(.made):
      record.fit = BlockLengthFit(period: period, coming: period)
      return nil
    case .success(.unneeded), .success(.lengthAccepted):
      record.fit = BlockLengthFit(period: period)
      return wasSilent ? .pluginRefitted(node: name(id), period: period, isNew: false) : nil
    case .failure(let error):
      record.fit = BlockLengthFit(period: period, isSilent: !plugin.plays(blocksOf: period))
      if record.fit.isSilent { return .pluginSilent(node: name(id), period: period, reason: error.reason) }
      return .warning("'\(name(id))' was made for another JACK period and plays on unchanged: \(error)")
    }
  }
}
