// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import CSwiftletLilv
internal import CSwiftletRealtime
internal import Glibc
internal import SwiftletThreads

extension PluginInstance {
  /// The timeout for the code that ends an instance; after it, the thread that runs the code is abandoned.
  private static var timeout: Duration { .milliseconds(2500) }

  /// The parts of an instance that the ending thread uses.
  // @unchecked: the instance is idle, and no other thread uses it.
  private struct Work: @unchecked Sendable {
    let handle: LV2_Handle?, descriptor: UnsafePointer<LV2_Descriptor>, code: PluginCode?
    let isActive: Bool
    let note: UnsafeMutablePointer<swiftlet_note>?
    /// Retained as long as the plugin may read them.
    let features: PluginFeatures?

    func run() {
      if isActive, let deactivate = descriptor.pointee.deactivate {
        withThirdPartyCode(SWIFTLET_DEACTIVATE, note) { deactivate(handle) }
      }
      if let cleanup = descriptor.pointee.cleanup {
        withThirdPartyCode(SWIFTLET_CLEANUP, note) { cleanup(handle) }
      }
      code?.end()
    }
  }

  /// Deactivates and cleans up the instance, on a thread of its own. Called under the library's lock.
  ///
  /// - Returns: False if the plugin's code does not return in time. The thread and the instance are then abandoned,
  ///   and everything that the plugin may still use must be kept.
  func endOnOtherThread() -> Bool {
    let work = Work(
      handle: handle, descriptor: descriptor, code: code, isActive: isActive, note: note, features: features)
    let hasEnded = Monitor(false)
    let thread = JoinableThread("swiftlet-unload") {
      work.run()
      hasEnded.change { $0 = true }
    }
    // If no thread can be started, the instance is ended on this one.
    guard let thread else {
      work.run()
      return free()
    }
    guard hasEnded.wait(within: Self.timeout, until: { $0 }) else { return false }
    thread.join()
    return free()
  }

  /// Ends an isolated instance. Its process is killed if the plugin does not return.
  func endIsolated() -> Bool {
    deactivate()
    descriptor.pointee.cleanup?(handle)
    Glibc.free(instance)
    return true
  }

  /// Frees the memory of an instance that has been cleaned up.
  private func free() -> Bool {
    Glibc.free(instance)
    swiftlet_remove_note(note)
    return true
  }
}
