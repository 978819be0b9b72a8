// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import CSwiftletLilv
internal import FoundationEssentials
internal import Glibc
internal import SwiftletDisk

/// Copies the files that a state refers to into the state's folder, so that the folder can be moved.
///
/// A file is copied under a name that no different content has there, so the existing state in the folder stays
/// complete until `state.ttl` is replaced.
// @unchecked: used only by the thread that saves.
final class StatePaths: @unchecked Sendable {
  /// The file that could not be copied, and the reason.
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

  /// Returns the features for a plugin that saves.
  func features(_ files: PluginFiles) -> PathFeatures {
    var paths = PathFeatures(files)
    (paths.map, paths.make) = (map, make)
    return paths
  }

  /// Returns the path for a file that the plugin writes.
  fileprivate func path(forNew name: String) -> String? {
    guard !name.hasPrefix("/"), !name.split(separator: "/").contains(".."),
      (try? OpenFolder(beneath: root, FilePath.folder(of: name))) != nil
    else { return nil }
    return root + "/" + free(name) { _ in false }
  }

  fileprivate func absolute(_ path: String) -> String { path.hasPrefix("/") ? path : root + "/" + path }

  /// Returns the file's name in the folder, and copies the file unless it is there. Returns the path itself if it is
  /// not a regular file.
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

  /// Returns the first of `hall.wav`, `hall-2.wav` … that does not exist or has the same content.
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
    // An empty path denotes no file.
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
