// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import CSwiftletLilv
internal import CSwiftletRealtime
internal import SwiftletGraph
internal import SwiftletSignal

/// Owns a plugin's tables and buffers. They are written before the audio thread uses them, and freed after it has
/// stopped using them.
final class PluginMemory {
  private var allocations: [UnsafeMutableRawPointer] = []
  /// The longest block for which the wires' own buffers have space.
  private var roomLength = 0

  deinit { for allocation in allocations { allocation.deallocate() } }

  /// Allocates a table with these rows.
  func table<Row: BitwiseCopyable>(_ rows: [Row]) -> UnsafeMutablePointer<Row> {
    let table = UnsafeMutablePointer<Row>.allocate(capacity: max(rows.count, 1))
    table.initialize(from: rows, count: rows.count)
    allocations.append(UnsafeMutableRawPointer(table))
    return table
  }

  /// Allocates zeroed bytes, aligned to 64 bytes.
  func bytes(_ count: Int) -> UnsafeMutableRawPointer {
    let bytes = UnsafeMutableRawPointer.allocate(byteCount: max(count, 1), alignment: 64)
    bytes.initializeMemory(as: UInt8.self, repeating: 0, count: max(count, 1))
    allocations.append(bytes)
    return bytes
  }

  /// Allocates zeroed floats.
  func floats(_ count: Int) -> UnsafeMutablePointer<Float> {
    bytes(count * 4).bindMemory(to: Float.self, capacity: max(count, 1))
  }

  /// Creates the audio thread's data for these instances and connects them to it: controls to their default values,
  /// audio to silence. Event ports are not connected.
  func runtime(
    for model: PluginModel, _ instances: [PluginInstance], sampleRate: Double, longest: Int,
    faults: PluginFaultCounters
  ) -> UnsafeMutablePointer<PluginRuntime> {
    let runtime = bytes(MemoryLayout<PluginRuntime>.size).bindMemory(to: PluginRuntime.self, capacity: 1)
    let portCount = model.ports.count
    // Each row has a value for each property after the ports.
    let rowLength = portCount + model.properties.count
    let values = floats(rowLength * instances.count)
    let (silence, spare) = UnconnectedPortMemory.memory(longest: longest)
    let clockPorts = model.ports.compactMap { port in
      port.isParameter
        ? port.transportValue.map { PluginRuntime.ClockPort(port: Int32(port.index), value: $0) } : nil
    }
    runtime.initialize(
      to: PluginRuntime(
        row: swiftlet_row(
          run: instances[0].descriptor.pointee.run, first: instances[0].handle,
          second: instances.count > 1 ? instances[1].handle : nil, plugins: table(instances.map(\.handle)),
          count: UInt32(instances.count)),
        connectPort: instances[0].descriptor.pointee.connect_port,
        wires: table(wires(of: model, instances, longest: longest)), held: values,
        silence: silence, spare: spare, values: values,
        restored: table([Float](repeating: .nan, count: rowLength)),
        controls: table(controls(of: model, sampleRate: sampleRate)),
        properties: table(model.properties.map(PatchAtom.Slot.init)),
        moving: table([Int32](repeating: 0, count: rowLength)),
        meters: table(model.ports.filter(\.isMeter).map { Int32($0.index) }), clockPorts: table(clockPorts),
        eventInputs: table([]), eventOutputs: table([]), types: EventTypes(), faults: faults.counts))
    runtime.pointee.inputWireCount = model.buses(input: true).filter { !$0.isEvents }.map(\.ports.count)
      .reduce(0, +)
    runtime.pointee.outputWireCount = model.buses(input: false).filter { !$0.isEvents }.map(\.ports.count)
      .reduce(0, +)
    runtime.pointee.portCount = portCount
    runtime.pointee.clockPortCount = clockPorts.count
    runtime.pointee.sampleRate = Float(sampleRate)
    runtime.pointee.propertyCount = model.properties.count
    for property in model.properties { values[property.number] = .nan }
    runtime.pointee.meterCount = model.ports.filter(\.isMeter).count
    setControls(of: model, sampleRate: sampleRate, in: &runtime.pointee)
    for (number, instance) in instances.enumerated() {
      for port in model.ports {
        switch port.kind {
        case .control:
          // Instances share control inputs; each has its own control outputs.
          instance.connect(port.index, to: values + port.index + (port.isInput ? 0 : number * rowLength))
        case .audio, .cv: instance.connect(port.index, to: port.isInput ? silence : spare)
        case .unsupported: instance.connect(port.index, to: nil)
        case .atom: break
        }
      }
    }
    return runtime
  }

  /// Sets control inputs to their defaults, and records the ports that the host controls.
  private func setControls(of model: PluginModel, sampleRate: Double, in runtime: inout PluginRuntime) {
    for port in model.ports where port.kind == .control {
      let initial = port.range(sampleRate: sampleRate).initial
      guard port.isInput else {
        if port.role == .latency { runtime.latencyPort = port.index }
        continue
      }
      runtime.values[port.index] = port.isParameter || port.role == .reset ? initial : 0
      switch port.role {
      case .enabled:
        runtime.values[port.index] = 1
        runtime.enabledPort = port.index
      case .freeWheeling: runtime.freeWheelingPort = port.index
      case .reset: runtime.resetPort = port.index
      case .latency, nil: break
      }
    }
  }

  /// Enlarges the wires' own buffers for longer blocks if necessary. Call it while the audio thread does not use the
  /// plugin.
  func makeRoom(for longest: Int, in runtime: PluginRuntime) {
    guard longest > roomLength else { return }
    roomLength = longest
    for wire in 0..<runtime.pluginCount * (runtime.inputWireCount + runtime.outputWireCount) {
      runtime.wires[wire].spacious = floats(longest + UnconnectedPortMemory.guardFrames)
    }
  }

  private func controls(of model: PluginModel, sampleRate: Double) -> [PluginRuntime.Control] {
    let ports = model.ports.map { ($0, $0.isParameter) }
    let properties = model.properties.map { ($0.port, $0.isWritable && $0.kind.isNumeric) }
    return (ports + properties).map { port, isParameter in
      let (range, initial) = port.range(sampleRate: sampleRate)
      let isWhole = [.integer, .toggle].contains(port.curve(over: range))
      return PluginRuntime.Control(
        isParameter: isParameter, isWhole: isWhole, isMoving: false, low: range.lowerBound,
        high: range.upperBound, ramp: Ramp(initial))
    }
  }

  /// The audio and CV ports of every instance, inputs first. The channels of a mono plugin's first bus go to one
  /// instance each.
  private func wires(
    of model: PluginModel, _ instances: [PluginInstance], longest: Int
  ) -> [PluginRuntime.Wire] {
    let isMono = model.isMono
    roomLength = longest
    let (silence, spare) = UnconnectedPortMemory.memory(longest: longest)
    return instances.indices.flatMap { instance in
      [true, false].flatMap { isInput in
        model.buses(input: isInput).enumerated().filter { !$1.isEvents }.flatMap { bus, described in
          described.ports.enumerated().map { channel, port in
            PluginRuntime.Wire(
              memory: isInput ? silence : spare, port: UInt32(port), bus: Int32(bus),
              channel: Int32(isMono && bus == 0 ? instance : channel),
              spacious: floats(longest + UnconnectedPortMemory.guardFrames))
          }
        }
      }
    }
  }
}

extension PluginInstance {
  /// Connects a port while the instance is idle.
  func connect(_ port: Int, to memory: UnsafeMutableRawPointer?) {
    withThirdPartyCode(SWIFTLET_CONNECT_PORT, note) {
      lilv_instance_connect_port(instance, UInt32(port), memory)
    }
  }
}
