// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import CSwiftletLilv
internal import FoundationEssentials
internal import Glibc
internal import SwiftletDisk

/// Brings the files that a state names into the state's folder, so that the folder can be moved.
///
/// A file is copied under a name that no other content has there, so the state that is in the folder stays whole until
/// `state.ttl` is replaced.
// @unchecked: used by the thread that saves alone.
final class StatePaths: @unchecked Sendable {
  /// Why a file could not be brought in.
  private(set) var fault: (path: String, error: DiskError)?
  private let folder: OpenFolder
  /// The absolute path of the folder.
  private let root: String
  private let map: UnsafeMutablePointer<LV2_State_Map_Path>
  private let make: UnsafeMutablePointer<LV2_State_Make_Path>

  init(_ folder: OpenFolder) {
    self.folder = folder
    root = folder.currentPath ?? folder.path
    map = .allocate(capacity: 1)
    make = .allocate(capacity: 1)
    let handle = Unmanaged.passUnretained(self).toOpaque()
    map.initialize(
      to: LV2_State_Map_Path(handle: handle, abstract_path: abstractPath, absolute_path: absolutePath))
    make.initialize(to: LV2_State_Make_Path(handle: handle, path: newPath))
  }

  deinit {
    map.deallocate()
    make.deallocate()
  }

  /// What the plugin is offered while it saves.
  func features(_ files: PluginFiles) -> PathFeatures {
    var paths = PathFeatures(files)
    (paths.map, paths.make) = (map, make)
    return paths
  }

  /// The path of a file that the plugin wants to write.
  fileprivate func path(forNew name: String) -> String? {
    guard !name.hasPrefix("/"), !name.split(separator: "/").contains(".."),
      (try? OpenFolder(beneath: root, FilePath.folder(of: name))) != nil
    else { return nil }
    return root + "/" + free(name) { _ in false }
  }

  fileprivate func absolute(_ path: String) -> String { path.hasPrefix("/") ? path : root + "/" + path }

  /// The name that a file has in the folder, where it is copied unless it is there; the path of what is no file.
  fileprivate func abstract(_ path: String) -> String {
    guard path.hasPrefix("/") else { return path }
    if path.hasPrefix(root + "/") { return String(path.dropFirst(root.count + 1)) }
    var isFolder = false
    guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder), !isFolder else {
      return path
    }
    let name = free(FilePath.name(of: path)) { FileManager.default.contentsEqual(atPath: path, andPath: $0) }
    guard !FileManager.default.fileExists(atPath: root + "/" + name) else { return name }
    do throws(DiskError) {
      try copy(path, to: name)
      return name
    } catch {
      fault = (path, error)
      return path
    }
  }

  /// The first of `hall.wav`, `hall-2.wav` … that is free, or whose content will do.
  private func free(_ name: String, _ isSame: (String) -> Bool) -> String {
    let dot = name.lastIndex(of: ".").flatMap { $0 == name.startIndex ? nil : $0 } ?? name.endIndex
    var number = 1, candidate = name
    while FileManager.default.fileExists(atPath: root + "/" + candidate), !isSame(root + "/" + candidate) {
      number += 1
      candidate = "\(name[..<dot])-\(number)\(name[dot...])"
    }
    return candidate
  }

  private func copy(_ path: String, to name: String) throws(DiskError) {
    let file = try NewFile(root + "/" + name, in: folder, .whole(overwrites: false))
    do throws(DiskError) { try file.write(contentsOf: path) } catch {
      file.discard()
      throw error
    }
    try file.publish()
  }
}

private func paths(_ handle: UnsafeMutableRawPointer?) -> StatePaths? {
  handle.map { Unmanaged<StatePaths>.fromOpaque($0).takeUnretainedValue() }
}

private func abstractPath(_ handle: UnsafeMutableRawPointer?, _ path: UnsafePointer<CChar>?)
  -> UnsafeMutablePointer<CChar>?
{
  path.flatMap { path in
    // An empty path names no file.
    path.pointee == 0 ? strdup(path) : paths(handle).flatMap { strdup($0.abstract(String(cString: path))) }
  }
}

private func absolutePath(_ handle: UnsafeMutableRawPointer?, _ path: UnsafePointer<CChar>?)
  -> UnsafeMutablePointer<CChar>?
{
  path.flatMap { path in paths(handle).flatMap { strdup($0.absolute(String(cString: path))) } }
}

private func newPath(_ handle: UnsafeMutableRawPointer?, _ path: UnsafePointer<CChar>?)
  -> UnsafeMutablePointer<CChar>?
{
  path.flatMap { path in
    paths(handle)?.path(forNew: String(cString: path)).flatMap { strdup($0) }
  }
}
