// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import Glibc
internal import SwiftletThreads

extension PluginAudit {
  /// Loads the library, creates two instances, activates, deactivates and ends them.
  ///
  /// - Returns: Whether the plugin can run.
  func auditLoading() -> Bool {
    guard let library = model.library else { return false }
    action("load its library")
    let fault = watch.call("lv2_descriptor") { PluginLibrary.fault(of: model.uri, in: library) }
    if let fault {
      output.find(.fail, .library, "its library \(fault)")
      return false
    }
    do throws(PluginError) {
      action("make an instance")
      let start = SystemClock.seconds(of: CLOCK_MONOTONIC)
      let one = try rig()
      output.measure("start", (SystemClock.seconds(of: CLOCK_MONOTONIC) - start) * 1000, "ms")
      action("make a second instance")
      let two = try? rig()
      if two == nil { output.find(.note, .start, "it allows one instance at a time only") }
      action("deactivate an instance and activate it again")
      watch.call("deactivate") { one.plugin.deactivate() }
      watch.call("activate") { one.plugin.activate() }
      action("end both instances")
      for instance in [one, two].compactMap(\.self) {
        instance.worker?.stop()
        guard instance.end() else {
          output.find(.fail, .end, "its function 'deactivate' or 'cleanup' does not return")
          return false
        }
      }
      return true
    } catch {
      switch error {
      case .layout: output.find(.warn, .unsupported, "Swiftlet cannot run it: \(error.reason)")
      case .library: output.find(.fail, .library, "its library \(error.reason)")
      default: output.find(.fail, .start, error.description)
      }
      return false
    }
  }
}
