// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import CSwiftletLilv
internal import CSwiftletRealtime
internal import Glibc

/// The state features for a plugin in the child. The host answers requests for paths and values.
final class HostedPaths {
  private let control: IsolationSocket
  private let map: UnsafeMutablePointer<LV2_State_Map_Path>
  private let make: UnsafeMutablePointer<LV2_State_Make_Path>
  /// Copies of values that the plugin may read until restoring ends.
  private var values: [UnsafeMutableRawBufferPointer] = []

  init(_ control: IsolationSocket) {
    self.control = control
    map = .allocate(capacity: 1)
    make = .allocate(capacity: 1)
    let handle = Unmanaged.passUnretained(self).toOpaque()
    map.initialize(
      to: LV2_State_Map_Path(
        handle: handle, abstract_path: { HostedPaths.path(.abstractPath, $0, $1) },
        absolute_path: { HostedPaths.path(.absolutePath, $0, $1) }))
    make.initialize(to: LV2_State_Make_Path(handle: handle, path: { HostedPaths.path(.makePath, $0, $1) }))
  }

  deinit {
    map.deallocate()
    make.deallocate()
    for value in values { value.deallocate() }
  }

  /// Returns the features for saving or restoring.
  func features(_ files: PluginFiles) -> PathFeatures {
    var features = PathFeatures(files)
    features.map = map
    features.make = make
    return features
  }

  /// Restores the plugin with values from the host.
  func restore(
    _ plugin: PluginInstance, files: PluginFiles, schedule: UnsafeMutablePointer<LV2_Worker_Schedule>?,
    flags: UInt32
  ) -> LV2_State_Status {
    guard let interface = plugin.interface(Name.stateInterface, as: LV2_State_Interface.self),
      let restore = interface.pointee.restore
    else { return LV2_STATE_ERR_UNKNOWN }
    let handle = Unmanaged.passUnretained(self).toOpaque()
    return features(files).withList(schedule) { list in
      withThirdPartyCode(SWIFTLET_RESTORE, plugin.note) {
        restore(plugin.handle, retrieveHosted, handle, flags, list)
      }
    }
  }

  fileprivate func request(_ question: IsolationMessage) -> IsolationMessage? {
    guard control.send(question), let answer = control.receive() else { _exit(0) }
    return answer.kind == .answer ? answer : nil
  }

  /// Returns a copy of the bytes that lasts until restoring ends.
  fileprivate func keep(_ bytes: [UInt8]) -> UnsafeMutableRawBufferPointer {
    let copy = UnsafeMutableRawBufferPointer.allocate(byteCount: max(bytes.count, 1), alignment: 8)
    copy.copyBytes(from: bytes)
    values.append(copy)
    return copy
  }

  private static func path(
    _ kind: IsolationMessage.Kind, _ handle: UnsafeMutableRawPointer?, _ path: UnsafePointer<CChar>?
  ) -> UnsafeMutablePointer<CChar>? {
    guard let handle, let path else { return nil }
    let paths = Unmanaged<HostedPaths>.fromOpaque(handle).takeUnretainedValue()
    let answer = paths.request(.init(kind: kind, bytes: Array(String(cString: path).utf8)))
    return answer.flatMap { strdup($0.text) }
  }
}

private func retrieveHosted(
  _ handle: LV2_State_Handle?, _ key: UInt32, _ size: UnsafeMutablePointer<Int>?,
  _ type: UnsafeMutablePointer<UInt32>?, _ flags: UnsafeMutablePointer<UInt32>?
) -> UnsafeRawPointer? {
  guard let handle else { return nil }
  let paths = Unmanaged<HostedPaths>.fromOpaque(handle).takeUnretainedValue()
  guard let value = paths.request(.init(kind: .retrieve, number: key)) else { return nil }
  size?.pointee = value.bytes.count
  type?.pointee = value.type
  flags?.pointee = value.flags
  return UnsafeRawPointer(paths.keep(value.bytes).baseAddress)
}
