// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import Foundation
internal import SwiftletDisk

/// The LV2 bundle with the built-in effects that was built or installed with the tool.
struct PluginBundle {
  static let name = "swiftlet.lv2"

  /// The bundle's folder.
  let path: String
  /// The names of its files. `manifest.ttl` comes last, so that hosts find the complete bundle or none.
  private let files: [String]

  private init?(at path: String) {
    self.path = path
    guard let names = try? FileManager.default.contentsOfDirectory(atPath: path),
      names.contains("manifest.ttl"), names.contains("swiftlet.so")
    else { return nil }
    files = names.filter { $0 != "manifest.ttl" && !$0.hasPrefix(".") }.sorted() + ["manifest.ttl"]
  }

  /// Returns the bundle of this program, in the installation or the build folder.
  ///
  /// - Throws: A ``Failure`` if there is none.
  static func find() throws -> PluginBundle {
    let program = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
    let folder = URL(filePath: program ?? "/").deletingLastPathComponent()
    // PREFIX/lib beside PREFIX/bin, or a distribution's library folder for the machine; then .build/lv2 beside
    // .build/TRIPLE/release.
    var folders = ["../lib/lv2", "../lib64/lv2"].map { folder.appending(path: $0) }
    let libraries = folder.appending(path: "../lib").standardizedFileURL
    let machines = (try? FileManager.default.contentsOfDirectory(atPath: libraries.path)) ?? []
    folders += machines.filter { $0.hasSuffix("-gnu") || $0.hasSuffix("-musl") }.sorted()
      .map { libraries.appending(path: $0 + "/lv2") }
    folders.append(folder.appending(path: "../../lv2"))
    if let source = source(of: folder) { folders.append(URL(filePath: source).appending(path: ".build/lv2")) }
    for candidate in folders {
      if let bundle = PluginBundle(at: candidate.appending(path: name).standardizedFileURL.path) {
        return bundle
      }
    }
    throw Failure(
      .badInput,
      "the LV2 bundle is not beside this program: expected '\(expected(beside: folder))'; "
        + howToBuild(beside: folder))
  }

  /// Returns the folder of Swiftlet's source in which the program was built; nil if the program was installed or
  /// moved.
  private static func source(of folder: URL) -> String? {
    var folder = folder
    // .build/TRIPLE/release, or deeper with a scratch path.
    for _ in 0..<6 where folder.path != "/" {
      folder.deleteLastPathComponent()
      let files = ["Makefile", "Package.swift", "Scripts/lv2-bundle"].map { folder.appending(path: $0).path }
      if files.allSatisfy({ FileManager.default.fileExists(atPath: $0) }) { return folder.path }
    }
    return nil
  }

  /// Returns the most likely path of the bundle, for messages.
  private static func expected(beside folder: URL) -> String {
    let built = source(of: folder).map { "\($0)/.build/lv2/\(name)" }
    return built ?? folder.appending(path: "../lib/lv2/\(name)").standardizedFileURL.path
  }

  /// Returns the instruction that builds the bundle, for messages.
  private static func howToBuild(beside folder: URL) -> String {
    source(of: folder).map { "run 'make -C \($0) lv2'" }
      ?? "run 'make lv2' in Swiftlet's source, or 'make install', which installs both"
  }

  /// Copies the bundle into a folder of bundles, which is created if it does not exist.
  ///
  /// - Returns: The path of the copy.
  /// - Throws: A ``Failure`` if the destination is not Swiftlet's, or cannot be written.
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

  /// Copies a file. A running host has the old library mapped, so a new file takes its name, and the old one is not
  /// overwritten.
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

  /// Returns whether the bundle may be installed at a path: nothing exists there, or an earlier copy does, even an
  /// incomplete one.
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
