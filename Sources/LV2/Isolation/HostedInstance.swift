// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import CSwiftletLilv
internal import CSwiftletRealtime

/// A plugin instance in the child process, with its ports connected to memory between guard pages.
// @unchecked: created by the control thread before any block is ordered; one thread at a time processes.
final class HostedInstance: @unchecked Sendable {
  /// A port whose data is copied before a block, or whose header is initialized.
  private struct Port: BitwiseCopyable {
    var kind: UInt32
    /// The port's address in the sender's area.
    var shared: UnsafeMutableRawPointer
    /// The buffer that the plugin is connected to.
    var own: UnsafeMutableRawPointer
    var capacity: Int
  }

  let plugin: PluginInstance
  private let ports: [Port]
  private let memory: [MappedMemory]
  private let sequence: UInt32, chunk: UInt32

  /// Connects an instance; nil if there is no memory.
  init?(
    _ plugin: PluginInstance, _ locations: [IsolatedAreas.Port], host: MappedMemory, child: MappedMemory
  ) {
    self.plugin = plugin
    sequence = URIDMap.shared.number(of: Name.sequence)
    chunk = URIDMap.shared.number(of: Name.chunk)
    var memory: [MappedMemory] = [], ports: [Port] = []
    for (index, location) in locations.enumerated() {
      guard location.kind != SWIFTLET_ISOLATED_NONE.rawValue else {
        plugin.connect(index, to: nil)
        continue
      }
      let shared = (location.isOutput ? child : host).base + location.offset
      var own = shared
      // A plugin may write to its inputs, and the host's memory is read-only here.
      if !location.isOutput {
        guard let copy = MappedMemory(guarded: location.capacity) else { return nil }
        memory.append(copy)
        own = copy.base + IsolatedAreas.page
      }
      plugin.connect(index, to: own)
      ports.append(Port(kind: location.kind, shared: shared, own: own, capacity: location.capacity))
    }
    self.memory = memory
    self.ports = ports
  }

  /// Runs the plugin for a block. Audio thread.
  func run(_ frames: Int) {
    takeInputs(frames)
    lilv_instance_run(plugin.instance, UInt32(truncatingIfNeeded: frames))
  }

  /// The values of the control inputs, to which a plugin writes when it selects a program: four bytes for each port.
  var controlInputs: [UInt8] {
    ports.filter { $0.kind == SWIFTLET_ISOLATED_CONTROL_IN.rawValue }.flatMap { port in
      Array(UnsafeRawBufferPointer(start: port.own, count: 4))
    }
  }

  /// Copies the host's inputs to the plugin's buffers, and initializes the event outputs. Audio thread, or the control
  /// thread while the plugin does not run.
  func takeInputs(_ frames: Int) {
    for port in ports {
      switch swiftlet_isolated_kind(port.kind) {
      case SWIFTLET_ISOLATED_AUDIO_IN: rt_copy_bytes(port.own, port.shared, frames * 4)
      case SWIFTLET_ISOLATED_CONTROL_IN: rt_copy_bytes(port.own, port.shared, 4)
      case SWIFTLET_ISOLATED_EVENTS_IN:
        let size = Int(port.shared.load(as: UInt32.self))
        rt_copy_bytes(port.own, port.shared, min(8 + size, port.capacity))
      case SWIFTLET_ISOLATED_EVENTS_OUT:
        port.own.storeBytes(
          of: LV2_Atom(size: UInt32(truncatingIfNeeded: port.capacity - 8), type: chunk), as: LV2_Atom.self)
      default: break
      }
    }
  }
}
