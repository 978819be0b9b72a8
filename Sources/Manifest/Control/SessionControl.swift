// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import Glibc
internal import Swiftlet
package import SwiftletControl
internal import SwiftletGraph
internal import SwiftletPlayback
internal import SwiftletSignal

/// A session as its front ends see it: the values of its nodes, wires, timeline and taps, and its commands.
///
/// The edits so far, which made the session from its manifest, cannot be undone from then on.
package final class SessionControl: ControlledSession {
  package let entries: [ControlEntry]
  /// The levels of the session's meters, for the display.
  package let levels: SessionLevels
  private let session: Session

  /// Creates the control of a session.
  package init(_ session: Session) {
    self.session = session
    levels = SessionLevels(session)
    let nodes = zip(session.manifest.nodes, session.nodes)
    let wires = session.manifest.wires.indices
    entries =
      nodes.flatMap { Self.entries(of: $1, $0) } + wires.flatMap { Self.entries(ofWire: $0, in: session) }
      + Self.timeline(of: session) + session.recorder.taps.flatMap { Self.entries(ofTap: $0, in: session) }
      + levels.entries(of: session)
    session.engine.forgetEdits()
  }

  package var taps: [String] { session.recorder.taps }

  package var status: ControlStatus {
    let engine = session.engine, rate = engine.sampleRate
    let state: ControlStatus.State = engine.isRunning ? .running : engine.isAway ? .waiting : .paused
    return ControlStatus(
      name: session.manifest.name, process: getpid(), server: engine.jackClient?.server ?? "", state: state,
      sampleRate: rate, period: engine.jackClient?.blockLength ?? 0, seconds: engine.now.seconds,
      load: engine.load, xruns: engine.jackClient?.xruns ?? 0, nodes: session.nodes.count,
      position: engine.timelineTime.seconds, isRolling: Self.isRolling(engine),
      takes: session.recorder.status.map { take in
        .init(
          tap: take.tap, path: take.path, seconds: Double(take.frameCount) / rate, lostFrames: take.lostFrames
        )
      })
  }

  package func startTakes(of taps: Set<String>) throws(ControlError) {
    do throws(EngineError) { try session.recorder.start(taps) } catch {
      throw ControlError(.failed, "no take was started: \(error)")
    }
  }

  package func endTakes(of taps: Set<String>) { session.recorder.stop(taps) }

  package func undo() throws(ControlError) -> Bool {
    do throws(EngineError) { return try session.engine.undo() } catch {
      throw ControlError(.failed, "nothing was undone: \(error)")
    }
  }

  package func redo() throws(ControlError) -> Bool {
    do throws(EngineError) { return try session.engine.redo() } catch {
      throw ControlError(.failed, "nothing was made again: \(error)")
    }
  }
}

extension SessionControl {
  /// Returns the values of a node: parameters, bypass and meters. The bypass takes precedence over a plugin's parameter
  /// of that name.
  private static func entries(of node: AudioNode, _ description: ResolvedManifest.Node) -> [ControlEntry] {
    switch description.kind {
    case .capture, .midiIn, .midiOut: return []
    case .mixer: return (node as? MixerNode).map { [gain(of: $0)] } ?? []
    case .playback: return description.ceiling == nil ? [] : [parameter(NodeKind.ceiling, of: node)]
    case .player, .track: return node.parameterInfos.map { parameter($0, of: node) }
    case .effect, .plugin:
      let meters = node.info?.meters ?? []
      return [bypass(of: node)] + node.parameterInfos.map { parameter($0, of: node) }
        + meters.map { meter($0, of: node) }
    }
  }

  private static func parameter(_ info: ParameterInfo, of node: AudioNode) -> ControlEntry {
    ControlEntry(
      "\(node.name).\(info.symbol)", info, read: { node[info.symbol] ?? info.initial },
      write: { value, duration throws(EngineError) in
        // A choice and a switch do not glide.
        let isNumber = info.curve == .linear || info.curve == .logarithmic
        try node.set(info.symbol, to: value, over: duration ?? (isNumber ? nil : .zero))
      })
  }

  private static func gain(of mixer: MixerNode) -> ControlEntry {
    level("\(mixer.name).gain", [], StreamSource.gain, mixer.gain)
  }

  /// Returns the entry of a level of the mix, in dB.
  private static func level(
    _ address: String, _ aliases: [String], _ info: ParameterInfo, _ level: MixParameter<Level>
  ) -> ControlEntry {
    ControlEntry(
      address, aliases: aliases, info, read: { level.value.decibels },
      write: { value, duration throws(EngineError) in
        guard let duration else {
          level.value = .decibels(value)
          return
        }
        try level.ramp(to: .decibels(value), over: duration)
      })
  }

  private static func bypass(of node: AudioNode) -> ControlEntry {
    let info = ParameterInfo(
      number: 0, symbol: "bypass", name: "Bypass", meaning: "Whether the node is bypassed", range: 0...1,
      initial: 0, curve: .toggle)
    return ControlEntry(
      ControlTree.bypass(of: node.name), info, read: { node.isBypassed ? 1 : 0 },
      write: { value, _ throws(EngineError) in
        if node.isBypassed != (value > 0) { try node.setBypassed(value > 0) }
      })
  }

  private static func meter(_ meter: ProcessorInfo.Meter, of node: AudioNode) -> ControlEntry {
    let unit = meter.unit.written
    return ControlEntry(
      ControlAddress(
        "\(node.name).\(meter.symbol)", .number, unit: unit?.rawValue, isMeter: true, meaning: meter.name),
      read: {
        guard let value = node.meter(meter.symbol) else { return (nil, "") }
        // Two decimals: more would change with each reading.
        let rounded = (Double(value) * 100).rounded() / 100
        return (.number(rounded), rounded.isFinite ? Quantity(rounded, unit).description : "\(rounded)")
      })
  }

  /// Returns the values of the wire with an index in the manifest.
  private static func entries(ofWire index: Int, in session: Session) -> [ControlEntry] {
    let manifest = session.manifest, wire = manifest.wires[index]
    let names = manifest.names(of: wire)
    let strip = ChannelStrip(wire.engineWire(session.nodes).id, in: session.engine)
    let isStereo =
      manifest.nodes[wire.to.node].inputs[wire.to.bus].format.channelCount == 2 && wire.to.channel == nil
    return ResolvedManifest.Wire.settable.compactMap { info in
      let spellings = names.map { "\($0).\(info.symbol)" }
      let aliases = Array(spellings.dropFirst())
      switch info.symbol {
      case "gain": return level(spellings[0], aliases, info, strip.gain)
      case "trim": return level(spellings[0], aliases, info, strip.trim)
      case "pan": return isStereo ? pan(spellings[0], aliases, info, strip.pan) : nil
      case "mute":
        return toggle(spellings[0], aliases, info) {
          strip.isMuted
        } set: {
          strip.isMuted = $0
        }
      case "solo":
        return toggle(spellings[0], aliases, info) {
          strip.isSolo
        } set: {
          strip.isSolo = $0
        }
      case "solo-safe":
        return toggle(spellings[0], aliases, info) {
          strip.isSoloSafe
        } set: {
          strip.isSoloSafe = $0
        }
      default: return nil
      }
    }
  }

  private static func pan(
    _ address: String, _ aliases: [String], _ info: ParameterInfo, _ pan: MixParameter<Float>
  ) -> ControlEntry {
    ControlEntry(
      address, aliases: aliases, info, read: { pan.value },
      write: { value, duration throws(EngineError) in
        guard let duration else {
          pan.value = value
          return
        }
        try pan.ramp(to: value, over: duration)
      })
  }

  private static func toggle(
    _ address: String, _ aliases: [String], _ info: ParameterInfo, get: @escaping @Sendable () -> Bool,
    set: @escaping @Sendable (Bool) -> Void
  ) -> ControlEntry {
    ControlEntry(
      address, aliases: aliases, info, read: { get() ? 1 : 0 },
      write: { value, _ throws(EngineError) in set(value > 0) })
  }
}
