// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import CSwiftletLilv
internal import CSwiftletRealtime
internal import Glibc

/// An instance in a child process, with the functions of an LV2 plugin. Its callers need not know in which process its
/// code runs.
// @unchecked: the tables never change after init, except the parts that `Isolation.h` gives to the audio thread.
final class IsolatedInstance: @unchecked Sendable {
  let child: PluginChild
  let number: Int
  /// The handle for the LV2 functions.
  let handle: UnsafeMutablePointer<swiftlet_isolated>
  let descriptor: UnsafeMutablePointer<LV2_Descriptor>
  /// The program that was listed last; its name is allocated.
  let program: UnsafeMutablePointer<swiftlet_program>

  init(_ number: Int, of child: PluginChild, uri: String, layout: PluginLayout, isolation: PluginIsolation) {
    self.child = child
    self.number = number
    let plugin = child.plugin, ports = plugin.areas.ports[number]
    let table = UnsafeMutablePointer<swiftlet_isolated_port>.allocate(capacity: max(ports.count, 1))
    let lag = layout.isolatedLag(longest: plugin.areas.longest)
    for (index, port) in ports.enumerated() {
      let isHeld = lag > 0 && port.kind == SWIFTLET_ISOLATED_AUDIO_OUT.rawValue
      let held = isHeld ? UnsafeMutablePointer<Float>.allocate(capacity: lag) : nil
      held?.initialize(repeating: 0, count: lag)
      (table + index).initialize(
        to: swiftlet_isolated_port(
          kind: port.kind, offset: UInt32(clamping: port.offset), capacity: UInt32(clamping: port.capacity),
          last: 0, memory: nil, held: held))
    }
    let map = URIDMap.shared
    let period = Double(layout.period ?? layout.longestBlock) / layout.sampleRate
    let timeout = min(max(isolation.deadline ?? period / 4, 0), 10)
    handle = .allocate(capacity: 1)
    handle.initialize(
      to: swiftlet_isolated(
        order: plugin.order, answer: plugin.answer,
        ports: table, port_count: UInt32(ports.count),
        longest: UInt32(plugin.areas.longest), sequence: map.number(of: Name.sequence),
        chunk: map.number(of: Name.chunk), least_timeout: Int64(timeout * 1e9),
        // Scales with the block, since JACK's period may grow.
        timeout_per_frame: isolation.deadline == nil ? Int64(0.25e9 / layout.sampleRate) : 0,
        line: child.process.line.base.assumingMemoryBound(to: swiftlet_isolated_line.self),
        plugin_number: plugin.number, is_line_taken: child.process.isLineTaken,
        state: child.process.monitor.flag, alarm: child.process.monitor.alarm,
        is_offline: layout.isOffline ? 1 : 0, is_bypassed: isolation.onFailure == .bypass ? 1 : 0,
        lag: UInt32(lag), read_index: 0, ordered: 0, first: nil, next: nil, owner: nil))
    descriptor = .allocate(capacity: 1)
    descriptor.initialize(
      to: LV2_Descriptor(
        URI: map.pinned(uri), instantiate: nil, connect_port: swiftlet_isolated_connect,
        activate: { IsolatedInstance.of($0)?.activate() }, run: swiftlet_isolated_run,
        deactivate: { IsolatedInstance.of($0)?.request(.deactivate) },
        cleanup: { IsolatedInstance.of($0)?.request(.cleanUp) },
        extension_data: nil))
    program = .allocate(capacity: 1)
    program.initialize(to: swiftlet_program())
    // A plugin without a state has no interface for it.
    let hasState = child.hasState.indices.contains(number) && child.hasState[number]
    if hasState {
      descriptor.pointee.extension_data = isolatedExtension
    } else {
      descriptor.pointee.extension_data = isolatedProgramsAlone
    }
    handle.pointee.owner = Unmanaged.passUnretained(self).toOpaque()
  }

  /// Links the instances of one child, so that they run together.
  static func join(_ instances: [IsolatedInstance]) {
    for (index, instance) in instances.enumerated() {
      instance.handle.pointee.first = instances.first?.handle
      instance.handle.pointee.next = index + 1 < instances.count ? instances[index + 1].handle : nil
    }
  }

  deinit {
    for port in 0..<Int(handle.pointee.port_count) { handle.pointee.ports[port].held?.deallocate() }
    handle.pointee.ports.deallocate()
    handle.deallocate()
    descriptor.deallocate()
    free(UnsafeMutableRawPointer(mutating: program.pointee.name))
    program.deallocate()
  }

  /// Returns the instance for a handle.
  static func of(_ handle: LV2_Handle?) -> IsolatedInstance? {
    guard let owner = handle?.assumingMemoryBound(to: swiftlet_isolated.self).pointee.owner else {
      return nil
    }
    return Unmanaged<IsolatedInstance>.fromOpaque(owner).takeUnretainedValue()
  }

  private func activate() {
    child.rest()
    swiftlet_send_inputs(handle)
    request(.activate)
  }

  private func request(_ kind: IsolationMessage.Kind) {
    child.request(.init(kind: kind, number: UInt32(number)))
  }
}

/// Returns an interface of an isolated instance: those for state and for programs.
private func isolatedExtension(_ uri: UnsafePointer<CChar>?) -> UnsafeRawPointer? {
  guard let uri, strcmp(uri, Name.stateInterface) == 0 else { return isolatedProgramsAlone(uri) }
  return UnsafeRawPointer(IsolatedState.interface)
}

/// As above, for an instance without a state.
private func isolatedProgramsAlone(_ uri: UnsafePointer<CChar>?) -> UnsafeRawPointer? {
  guard let uri, strcmp(uri, Name.programsInterface) == 0 else { return nil }
  return UnsafeRawPointer(IsolatedPrograms.interface)
}
