// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import CSwiftletLilv
internal import CSwiftletRealtime

/// A program of a plugin, as its code lists it: a sound that has no description outside of the plugin.
package struct PluginProgram: Sendable, Equatable {
  /// The numbers of bank and program, from 0, as in a MIDI program change.
  package var change: ProgramChange
  /// The display name.
  package var name: String

  /// The maximum number of programs that are listed, since the plugin's function may never return null.
  static let most = 1 << 16

  /// Finds a program by its name; by its bank and its number in the bank, as in `2/8`; or by its number in the list.
  /// Numbers count from 1.
  static func find(_ name: String, among programs: [Self]) -> Self? {
    if let found = programs.first(where: { $0.name == name }) { return found }
    let numbers = name.split(separator: "/", omittingEmptySubsequences: false).map { Int($0) ?? 0 }
    switch numbers.count {
    case 1: return programs.indices.contains(numbers[0] - 1) ? programs[numbers[0] - 1] : nil
    case 2:
      return programs.first { $0.change.bank == numbers[0] - 1 && $0.change.program == numbers[1] - 1 }
    default: return nil
    }
  }
}

extension PluginInstance {
  private var programInterface: UnsafePointer<swiftlet_programs>? {
    interface(Name.programsInterface, as: swiftlet_programs.self)
  }

  /// The plugin's programs, in its order. Call it while the instance is idle.
  var programs: [PluginProgram] {
    var programs: [PluginProgram] = []
    while programs.count < PluginProgram.most, let next = program(at: UInt32(programs.count)) {
      programs.append(next)
    }
    return programs
  }

  /// The program at an index of that list; nil behind the last one.
  func program(at index: UInt32) -> PluginProgram? {
    guard let get = programInterface?.pointee.get_program,
      let found = call(SWIFTLET_GET_PROGRAM, { get(handle, index) })
    else { return nil }
    return PluginProgram(
      change: ProgramChange(bank: Int(found.pointee.bank), program: Int(found.pointee.program)),
      name: found.pointee.name.map { String(cString: $0) } ?? "")
  }

  /// Selects a program while the instance is idle. The plugin may write to its control inputs.
  func select(_ change: ProgramChange) {
    guard let select = programInterface?.pointee.select_program else { return }
    call(SWIFTLET_SELECT_PROGRAM) {
      select(handle, UInt32(clamping: change.bank), UInt32(clamping: change.program))
    }
  }
}

extension PluginBody {
  /// The plugin's programs; none if its description does not declare them. Call it while the body is idle.
  var programs: [PluginProgram] { model.hasPrograms ? instances.first?.programs ?? [] : [] }

  /// Selects a program in every instance of the idle body.
  ///
  /// - Returns: The parameters that the plugin has changed; nil if the current work did not end within `timeout`
  ///   milliseconds, in which case nothing was done.
  func select(_ change: ProgramChange, within timeout: Int) -> [(number: Int, value: Float)]? {
    let ports = model.ports.filter(\.isParameter).map(\.index), values = runtime.pointee.values
    let before = ports.map { rt_load_float(values + $0) }
    let isDone: Void? = whileWorkIsPaused(within: timeout) {
      for instance in instances { instance.select(change) }
    }
    guard isDone != nil else { return nil }
    var changed: [(number: Int, value: Float)] = []
    for (port, old) in zip(ports, before) {
      let new = rt_load_float(values + port)
      if new.isNaN {
        rt_store_float(values + port, old)
      } else if new != old {
        changed.append((port, new))
      }
    }
    return changed
  }
}

extension PluginProcessor {
  /// Selects a program of the plugin, as a preset is loaded: see ``load(preset:isPlaying:)``. The program takes effect
  /// with a crossfade to another instance. Ignored if the plugin has no such program.
  @discardableResult package func select(
    _ change: ProgramChange, isPlaying: () -> Bool
  ) throws(PluginError) -> [(number: Int, value: Float)] {
    guard programs.contains(where: { $0.change == change }) else { return [] }
    return try changeLock.locked { () throws(PluginError) in
      var timeout = 3000
      try settle(isPlaying, within: &timeout)
      return try recall(.program(change), isPlaying)
    }
  }
}
