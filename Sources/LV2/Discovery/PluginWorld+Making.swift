// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import SwiftletDisk
internal import SwiftletGraph
internal import Synchronization

extension PluginWorld {
  /// Creates a plugin that is ready to play. The first block that it processes is the first one that is heard.
  ///
  /// If the plugin reports a latency, that is read from a second instance, which processes some silence and is
  /// discarded.
  ///
  /// - Parameters:
  ///   - preset: The URI or label of a preset; nil keeps the plugin's defaults.
  ///   - values: Parameters by number, set after the preset and clamped to their ranges.
  /// - Throws: ``PluginError`` if the plugin is not installed, requires something that the host lacks, or cannot be
  ///   instantiated.
  package func makeProcessor(
    uri: String, layout: PluginLayout, preset: String? = nil, values: [(number: Int, value: Float)] = []
  ) throws(PluginError) -> PluginProcessor {
    let prepared = try lock.locked { () throws(PluginError) in try prepare(uri, layout, preset, values) }
    return try processor(prepared, layout, values)
  }

  /// Returns what only a plugin's code knows: its latency in frames with default parameters, and its programs. Runs the
  /// code only if the description declares a latency port or programs.
  ///
  /// - Throws: ``PluginError`` if the plugin is not installed or cannot be instantiated.
  package func inspect(
    uri: String, layout: PluginLayout
  ) throws(PluginError) -> (latency: Int, programs: [PluginProgram]) {
    let mustRun = try lock.locked { () throws(PluginError) in
      let model = try model(uri: uri)
      return model.hasPrograms || model.ports.contains { $0.role == .latency && !$0.isInput }
    }
    guard mustRun else { return (0, []) }
    let processor = try makeProcessor(uri: uri, layout: layout)
    return (processor.latency.load(ordering: .relaxed), processor.programs)
  }

  /// The data of a plugin that is to be created, as read by lilv.
  private struct Preparation {
    let model: PluginModel
    let guarantee: BlockLengthGuarantee
    /// The number of instances.
    let count: Int
    /// The states for the instances, in order.
    var states: [[PluginState]] = []
  }

  /// Reads what creating a plugin requires. Called under the lock.
  private func prepare(
    _ uri: String, _ layout: PluginLayout, _ preset: String?, _ values: [(number: Int, value: Float)]
  ) throws(PluginError) -> Preparation {
    let model = try model(uri: uri)
    if let refusal = model.refusal { throw .refused(uri, because: refusal) }
    for (number, _) in values
    where !model.ports.contains(where: { $0.index == number && $0.isParameter })
      && !model.properties.contains(where: { $0.number == number && $0.kind.isNumeric })
    {
      throw .unknownParameter(number, plugin: uri)
    }
    let count = model.isMono ? layout.channels : 1
    var preparation = try Preparation(
      model: model, guarantee: BlockLengthGuarantee(model, layout), count: count)
    if model.uses(Name.loadDefaultState), let state = try PluginState(of: uri, in: lilv(), lock: lock) {
      preparation.states.append(Array(repeating: state, count: count))
    }
    if let preset { preparation.states.append(try states(ofPreset: preset, for: model, count: count)) }
    return preparation
  }

  /// Creates a plugin. Its code runs without the lock.
  private func processor(
    _ prepared: Preparation, _ layout: PluginLayout, _ values: [(number: Int, value: Float)]
  ) throws(PluginError) -> PluginProcessor {
    let model = prepared.model
    func make(_ layout: PluginLayout, instanceCount: Int) throws(PluginError) -> PluginBody {
      let body = try PluginBody(model, in: self, layout, prepared.guarantee, instanceCount: instanceCount)
      for state in prepared.states { body.set(body.restore(state, within: 1000) ?? []) }
      body.set(values)
      return body
    }
    var latency = 0
    if model.ports.contains(where: { $0.role == .latency && !$0.isInput }) {
      // If the plugin allows only one instance, the second one fails, and the latency is read while the plugin plays.
      latency = (try? make(layout.offline, instanceCount: 1))?.rehearsedLatency ?? 0
    }
    let body = try make(layout, instanceCount: prepared.count)
    body.activate()
    if let monitor = body.child?.process.monitor, monitor.hasFailed {
      throw .noInstance(model.uri, messages: monitor.end(because: "it failed in 'activate'"))
    }
    body.deliver()
    let processor = PluginProcessor(body, in: self, latency: latency)
    if let last = prepared.states.last { processor.bodies.withLock { $0.states = last } }
    return processor
  }

  /// Returns a preset's states for `count` instances of a plugin. The preset is given by its URI, its label, its bank
  /// and number, or its number. Called under the lock.
  func states(ofPreset preset: String, for model: PluginModel, count: Int) throws(PluginError)
    -> [PluginState]
  {
    let presets = try lilv().presets(of: plugin(uri: model.uri))
    guard let found = ProcessorInfo.Preset.find(preset, among: presets) else {
      throw .unknownPreset(preset, plugin: model.uri, known: presets.map(\.label))
    }
    // A preset that this host has saved has a state for each instance.
    if count > 1, let path = Lilv.path(of: found.id), FilePath.name(of: path) == "state.ttl",
      let states = try? states(in: FilePath.folder(of: path), of: model.uri, count: count)
    {
      return states
    }
    guard let state = try PluginState(of: found.id, in: lilv(), lock: lock) else {
      throw .brokenPreset(preset, plugin: model.uri)
    }
    return Array(repeating: state, count: count)
  }
}
