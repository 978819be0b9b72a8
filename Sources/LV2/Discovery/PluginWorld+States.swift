// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import FoundationEssentials
internal import Glibc

/// Checks of states in folders, before a plugin is restored from one.
extension PluginWorld {
  /// The reason why a folder contains no state for a plugin, as a sentence; nil if it contains one.
  package func stateFault(in folder: String, of uri: String) -> String? {
    lock.locked {
      do throws(PluginError) {
        _ = try states(in: folder, of: uri, count: 1)
        return nil
      } catch {
        guard case .state(_, _, let reason) = error else { return "\(error)" }
        return reason
      }
    }
  }

  /// Returns the states in a folder for `count` instances of a plugin. An instance without one gets the first
  /// instance's. Called under the lock.
  func states(in folder: String, of uri: String, count: Int) throws(PluginError) -> [PluginState] {
    let file = folder + "/state.ttl", scan = TurtleScan(path: file)
    if let danger = scan.danger ?? scan.mistake.map({ "is not Turtle in line \($0)" }) {
      throw .state(folder, plugin: uri, because: "its file state.ttl \(danger)")
    }
    let lilv = try lilv()
    guard FileManager.default.fileExists(atPath: file),
      let first = PluginState(file: file, in: lilv, lock: lock)
    else { throw .state(folder, plugin: uri, because: "it has no file state.ttl that holds a state") }
    guard first.plugin == uri else {
      throw .state(folder, plugin: uri, because: "it is a state of the plugin <\(first.plugin ?? "")>")
    }
    return (0..<count).map { number in
      guard number > 0 else { return first }
      let own = PluginState(
        file: file, subject: StateTurtle.subject(ofInstance: number), in: lilv, lock: lock)
      return own?.plugin == uri ? own ?? first : first
    }
  }
}

extension StateTurtle {
  /// The subject of an instance's state, relative to the file.
  static func subject(ofInstance number: Int) -> String { number == 0 ? "" : "#instance-\(number + 1)" }
}
