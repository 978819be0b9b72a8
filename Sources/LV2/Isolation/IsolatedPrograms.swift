// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import CSwiftletLilv
internal import CSwiftletRealtime
internal import Glibc

/// The interface for programs of isolated instances, in the host. The child lists and selects them.
enum IsolatedPrograms {
  /// Shared by all instances: it has no state of its own, and lasts as long as the process.
  nonisolated(unsafe) static let interface: UnsafeMutablePointer<swiftlet_programs> = {
    let interface = UnsafeMutablePointer<swiftlet_programs>.allocate(capacity: 1)
    interface.initialize(
      to: swiftlet_programs(
        get_program: { UnsafePointer(IsolatedInstance.of($0)?.program(at: $1)) },
        select_program: { IsolatedInstance.of($0)?.select(bank: $1, program: $2) }))
    return interface
  }()
}

extension IsolatedInstance {
  /// The program at an index, which is valid until the next call; nil behind the last one.
  fileprivate func program(at index: UInt32) -> UnsafeMutablePointer<swiftlet_program>? {
    let order = IsolationMessage(kind: .program, number: UInt32(number), type: index)
    guard let done = child.request(order), done.number == 1 else { return nil }
    free(UnsafeMutableRawPointer(mutating: program.pointee.name))
    program.pointee = swiftlet_program(bank: done.type, program: done.flags, name: strdup(done.text))
    return program
  }

  /// Selects a program, and takes over the control inputs that the plugin has changed.
  fileprivate func select(bank: UInt32, program: UInt32) {
    child.rest()
    swiftlet_send_inputs(handle)
    let order = IsolationMessage(kind: .select, number: UInt32(number), type: bank, flags: program)
    guard let done = child.request(order) else { return }
    let inputs = (0..<Int(handle.pointee.port_count)).map { handle.pointee.ports[$0] }
      .filter { $0.kind == SWIFTLET_ISOLATED_CONTROL_IN.rawValue }
    guard done.bytes.count == inputs.count * 4 else { return }
    done.bytes.withUnsafeBytes { bytes in
      for (index, port) in inputs.enumerated() {
        port.memory?.storeBytes(
          of: bytes.loadUnaligned(fromByteOffset: index * 4, as: Float.self), as: Float.self)
      }
    }
  }
}
