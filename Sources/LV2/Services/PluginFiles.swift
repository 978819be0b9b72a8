// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import CSwiftletLilv
internal import FoundationEssentials
internal import Glibc
internal import SwiftletDisk

/// The files that a plugin creates while it lives: in a new folder, which is created on the first request and removed
/// with the node. Paths in states are used unchanged.
// @unchecked: `folder` is accessed under `lock`.
final class PluginFiles: @unchecked Sendable {
  let map: UnsafeMutablePointer<LV2_State_Map_Path>
  let make: UnsafeMutablePointer<LV2_State_Make_Path>
  let free: UnsafeMutablePointer<LV2_State_Free_Path>
  private let lock = ControlLock()
  private var folder: PrivateFolder?
  /// The plugin's number in the process of isolated plugins; otherwise 0.
  private let pluginNumber: UInt32

  init(pluginNumber: UInt32 = 0) {
    self.pluginNumber = pluginNumber
    map = .allocate(capacity: 1)
    make = .allocate(capacity: 1)
    free = .allocate(capacity: 1)
    let handle = Unmanaged.passUnretained(self).toOpaque()
    map.initialize(to: LV2_State_Map_Path(handle: handle, abstract_path: samePath, absolute_path: samePath))
    make.initialize(to: LV2_State_Make_Path(handle: handle, path: makePath))
    free.initialize(to: LV2_State_Free_Path(handle: handle, free_path: freePath))
  }

  deinit {
    map.deallocate()
    make.deallocate()
    free.deallocate()
  }

  /// Returns the full path for a file that the plugin names `name`; nil if it would be outside the folder or cannot be
  /// created.
  func path(for name: String) -> String? {
    // The host process owns the files of an isolated plugin.
    if let host = URIDMap.host { return host.path(for: name, of: pluginNumber) }
    return lock.locked {
      guard !name.hasPrefix("/"), !name.split(separator: "/").contains("..") else { return nil }
      if folder == nil { folder = try? PrivateFolder(for: "plugin") }
      guard let folder, (try? OpenFolder(beneath: folder.path, FilePath.folder(of: name))) != nil else {
        return nil
      }
      return folder.path + "/" + name
    }
  }
}

private func samePath(_ handle: UnsafeMutableRawPointer?, _ path: UnsafePointer<CChar>?)
  -> UnsafeMutablePointer<CChar>?
{
  path.flatMap { strdup($0) }
}

private func makePath(_ handle: UnsafeMutableRawPointer?, _ path: UnsafePointer<CChar>?)
  -> UnsafeMutablePointer<CChar>?
{
  guard let handle, let path else { return nil }
  let files = Unmanaged<PluginFiles>.fromOpaque(handle).takeUnretainedValue()
  return files.path(for: String(cString: path)).flatMap { strdup($0) }
}

private func freePath(_ handle: UnsafeMutableRawPointer?, _ path: UnsafeMutablePointer<CChar>?) { free(path) }
