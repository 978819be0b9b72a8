// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import CSwiftletLilv
internal import FoundationEssentials
internal import Glibc
internal import SwiftletDisk

/// Where a plugin keeps files of its own while it lives: a fresh folder, made when first asked for, removed
/// with the node. Paths in states are taken as they stand.
// @unchecked: `folder` is touched under `lock`.
final class PluginFiles: @unchecked Sendable {
  let map: UnsafeMutablePointer<LV2_State_Map_Path>
  let make: UnsafeMutablePointer<LV2_State_Make_Path>
  let free: UnsafeMutablePointer<LV2_State_Free_Path>
  private let lock = ControlLock()
  private var folder: PrivateFolder?
  /// In the process of isolated plugins, the number of the plugin.
  private let seat: UInt32

  init(seat: UInt32 = 0) {
    self.seat = seat
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

  /// The full path for a file that the plugin calls `name`; nil where it would
  /// lie elsewhere or cannot be made.
  func path(for name: String) -> String? {
    // The files of an isolated plugin are its host's matter.
    if let host = URIDMap.host { return host.path(for: name, of: seat) }
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
