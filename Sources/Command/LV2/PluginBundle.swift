// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import Foundation
internal import SwiftletDisk

/// The built-in effects' LV2 bundle, as it was built or installed with the tool.
struct PluginBundle {
  static let name = "swiftlet.lv2"

  /// Its folder.
  let path: String
  /// The names of its files; what lists them for hosts comes last, so that they find all or nothing.
  private let files: [String]

  private init?(at path: String) {
    self.path = path
    guard let names = try? FileManager.default.contentsOfDirectory(atPath: path),
      names.contains("manifest.ttl"), names.contains("swiftlet.so")
    else { return nil }
    files = names.filter { $0 != "manifest.ttl" && !$0.hasPrefix(".") }.sorted() + ["manifest.ttl"]
  }

  /// The bundle that belongs to this program: beside where it is installed, or in the build folder.
  ///
  /// - Throws: a ``Failure`` where there is none.
  static func find() throws -> PluginBundle {
    let program = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
    let folder = URL(filePath: program ?? "/").deletingLastPathComponent()
    // PREFIX/bin beside PREFIX/lib, or a distribution's library folder for the machine; then .build/TRIPLE/release.
    var places = ["../lib/lv2", "../lib64/lv2"].map { folder.appending(path: $0) }
    let libraries = folder.appending(path: "../lib").standardizedFileURL
    let machines = (try? FileManager.default.contentsOfDirectory(atPath: libraries.path)) ?? []
    places += machines.filter { $0.hasSuffix("-gnu") || $0.hasSuffix("-musl") }.sorted()
      .map { libraries.appending(path: $0 + "/lv2") }
    places.append(folder.appending(path: "../../lv2"))
    if let source = source(of: folder) { places.append(URL(filePath: source).appending(path: ".build/lv2")) }
    for place in places {
      if let bundle = PluginBundle(at: place.appending(path: name).standardizedFileURL.path) { return bundle }
    }
    throw Failure(
      .badInput,
      "the LV2 bundle is not beside this program: expected '\(expected(beside: folder))'; "
        + howToBuild(beside: folder))
  }

  /// The folder of Swiftlet's source that the program was built in; nil for one that was installed or moved.
  private static func source(of folder: URL) -> String? {
    var folder = folder
    // .build/TRIPLE/release, or deeper for a scratch path of its own.
    for _ in 0..<6 where folder.path != "/" {
      folder.deleteLastPathComponent()
      let files = ["Makefile", "Package.swift", "Scripts/lv2-bundle"].map { folder.appending(path: $0).path }
      if files.allSatisfy({ FileManager.default.fileExists(atPath: $0) }) { return folder.path }
    }
    return nil
  }

  /// Where the bundle is expected first.
  private static func expected(beside folder: URL) -> String {
    let places = source(of: folder).map { "\($0)/.build/lv2/\(name)" }
    return places ?? folder.appending(path: "../lib/lv2/\(name)").standardizedFileURL.path
  }

  /// The command that makes the bundle.
  private static func howToBuild(beside folder: URL) -> String {
    source(of: folder).map { "run 'make -C \($0) lv2'" }
      ?? "run 'make lv2' in Swiftlet's source, or 'make install', which installs both"
  }

  /// Copies the bundle into a folder of bundles, which is made where it is missing.
  ///
  /// - Returns: the path of the copy.
  /// - Throws: a ``Failure`` where what is there is not Swiftlet's, or cannot be written.
  func install(into folder: String) throws -> String {
    let copy = URL(filePath: folder).appending(path: Self.name).standardizedFileURL.path
    guard copy != path else { throw Failure(.badInput, "'\(copy)' is the bundle itself") }
    guard try isFree(copy) else {
      throw Failure(
        .badInput,
        "'\(copy)' is there already and is not Swiftlet's bundle: move it away, or name another folder")
    }
    do throws(DiskError) {
      let folder = try OpenFolder(copy, makes: true)
      for file in files { try Self.install("\(path)/\(file)", into: folder) }
    } catch {
      throw Failure(.badInput, "'\(copy)' cannot be written: \(String(cString: strerror(error.number)))")
    }
    return copy
  }

  /// Copies a file. A host that runs has the old library mapped: a new file takes its name, and nothing is written over.
  private static func install(_ path: String, into folder: OpenFolder) throws(DiskError) {
    var facts = stat()
    guard let bytes = FileManager.default.contents(atPath: path), stat(path, &facts) == 0 else {
      throw .system(ENOENT)
    }
    let file = try NewFile(
      folder.path(of: FilePath.name(of: path)), in: folder, .whole(overwrites: true),
      permissions: facts.st_mode & 0o777)
    do throws(DiskError) {
      var done = 0
      while done < bytes.count {
        let written = bytes.withUnsafeBytes { bytes in
          bytes.baseAddress.map { write(file.descriptor, $0 + done, bytes.count - done) } ?? 0
        }
        if written < 0 && errno == EINTR { continue }
        guard written > 0 else { throw .system(errno) }
        done += written
      }
      try file.publish()
    } catch {
      file.discard()
      throw error
    }
  }

  /// Whether the copy may be put there: nothing is there, or an earlier copy, even one that was broken off.
  private func isFree(_ copy: String) throws -> Bool {
    var status = stat()
    guard lstat(copy, &status) == 0 else { return true }
    guard status.st_mode & S_IFMT == S_IFDIR else { return false }
    if let manifest = try? String(contentsOfFile: "\(copy)/manifest.ttl", encoding: .utf8) {
      return manifest.contains("<urn:swiftlet:gain>")
    }
    let names = (try? FileManager.default.contentsOfDirectory(atPath: copy)) ?? ["unreadable"]
    return names.allSatisfy { files.contains($0) || TemporaryName.matches($0) || $0.hasSuffix(".new") }
  }
}
