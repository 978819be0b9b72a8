// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import SwiftletGraph
internal import Synchronization

extension PluginWorld {
  /// Makes a plugin ready to play. It has not run: the first block it sees is the first that is heard.
  ///
  /// Its latency is read from a second instance that hears some silence and is thrown
  /// away, where the plugin states one.
  ///
  /// - Parameters:
  ///   - preset: the URI or label of a preset; nil leaves the plugin at its defaults.
  ///   - values: parameters by number, set after the preset; those beyond their range are clamped.
  /// - Throws: ``PluginError``, where the plugin is not there, asks for what we lack, or does not start.
  package func makeProcessor(
    uri: String, layout: PluginLayout, preset: String? = nil, values: [(number: Int, value: Float)] = []
  ) throws(PluginError) -> PluginProcessor {
    try turn.locked { () throws(PluginError) in
      try lock.locked { () throws(PluginError) in try processor(uri, layout, preset, values) }
    }
  }

  /// As `makeProcessor`, in our turn and under the lock.
  private func processor(
    _ uri: String, _ layout: PluginLayout, _ preset: String?, _ values: [(number: Int, value: Float)]
  ) throws(PluginError) -> PluginProcessor {
    let model = try model(uri: uri)
    if let refusal = model.refusal { throw .refused(uri, because: refusal) }
    let promise = try BlockPromise(model, layout)
    for (number, _) in values
    where !model.ports.contains(where: { $0.index == number && $0.isParameter })
      && !model.properties.contains(where: { $0.number == number && $0.kind.isNumeric })
    {
      throw .unknownParameter(number, plugin: uri)
    }
    var states: [PluginState] = []
    if model.asks(Name.loadDefaultState), let state = try PluginState(of: uri, in: lilv(), lock: lock) {
      states.append(state)
    }
    if let preset { states.append(try state(ofPreset: preset, for: model)) }

    func make(_ layout: PluginLayout, instanceCount: Int) throws(PluginError) -> PluginBody {
      let body = try PluginBody(model, in: self, layout, promise, instanceCount: instanceCount)
      for state in states { body.set(body.restore(state, within: 1000) ?? []) }
      body.set(values)
      return body
    }
    var latency = 0
    if model.ports.contains(where: { $0.role == .latency && !$0.isInput }) {
      // A plugin that allows one instance only keeps it for the play, and its latency is read from that.
      latency = (try? make(layout.offline, instanceCount: 1))?.rehearsedLatency ?? 0
    }
    let body = try make(layout, instanceCount: model.isMono ? layout.channels : 1)
    body.activate()
    if let warden = body.child?.process.warden, warden.hasFailed {
      throw .noInstance(uri, messages: warden.end(asksFor: "it failed in 'activate'"))
    }
    body.worker?.deliver()
    let processor = PluginProcessor(body, in: self, latency: latency)
    if let last = states.last { processor.bodies.withLock { $0.states = [last] } }
    return processor
  }

  /// The state of a preset that is called by its URI or its label. Under the lock.
  func state(ofPreset preset: String, for model: PluginModel) throws(PluginError) -> PluginState {
    let presets = try lilv().presets(of: plugin(uri: model.uri))
    guard
      let found = presets.first(where: { $0.uri == preset }) ?? presets.first(where: { $0.label == preset })
    else {
      throw .unknownPreset(preset, plugin: model.uri, known: presets.map(\.label))
    }
    guard let state = try PluginState(of: found.uri, in: lilv(), lock: lock) else {
      throw .brokenPreset(preset, plugin: model.uri)
    }
    return state
  }
}
