// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import Foundation
internal import SwiftletDisk

/// The cache of the plugin list: `swiftlet/plugins.list` in `$XDG_CACHE_HOME`, or in `.cache` of the home folder.
///
/// The cache is valid while the bundles, the files that they were read from, their libraries, the user's language,
/// the loader's cache and this program are unchanged: path, size, inode and modification time of each file. A file
/// that is damaged, of another format or about other bundles is ignored and replaced. Only names and reasons come
/// from the cache; the data that lilv reads is scanned each time.
struct PluginListCache {
  private let bundles: [String]
  /// The path of the file; nil if there is no cache folder.
  private let path: String?

  /// The maximum size of the file in bytes.
  private static let longest = 16 << 20
  /// The first line. Its number increases with each change of the format.
  private static let head = "swiftlet plugin list 1\n"

  /// Creates the user's cache for the bundles at these paths.
  init(bundles: [String]) {
    self.bundles = bundles
    // The XDG rules: relative paths are ignored.
    let home = Environment["HOME"].flatMap { access($0, W_OK) == 0 ? $0 + "/.cache" : nil }
    let folders = [Environment["XDG_CACHE_HOME"], home]
    path = folders.compactMap(\.self).first { $0.hasPrefix("/") }.map { $0 + "/swiftlet/plugins.list" }
  }

  /// Returns the list; nil if there is none, or if anything has changed since it was stored.
  func load() -> PluginList? {
    var facts = stat()
    guard let path, stat(path, &facts) == 0, facts.st_size > 0, facts.st_size <= Self.longest,
      let bytes = RegularFile.head(of: path, count: Int(facts.st_size))
    else { return nil }
    return bytes.withUnsafeBytes { bytes in
      var reader = FieldReader(bytes)
      guard reader.skip(Self.head), let sum = reader.text(), sum == Fingerprint(of: reader.rest).text,
        let print = reader.text(), let count = reader.number()
      else { return nil }
      var now = fingerprint
      for _ in 0..<count {
        guard let file = reader.pointer() else { return nil }
        now.add(file: file)
      }
      guard now.text == print else { return nil }
      return reader.list()
    }
  }

  /// Stores a list and the files that it was read from. Errors are ignored.
  ///
  /// - Parameter start: The time at which reading began. If a file has changed since then, or in the second before,
  ///   it is unknown which version was read, and nothing is stored.
  func store(_ list: PluginList, files: [String], readSince start: time_t) {
    guard let path, !files.contains(where: { Self.hasChanged($0, since: start - 1) }) else { return }
    var print = fingerprint, fields = FieldWriter()
    let files = Set(files).sorted()
    for file in files { file.withCString { print.add(file: $0) } }
    fields.add(print.text)
    fields.add(files)
    fields.add(list)
    let sum = fields.bytes.withUnsafeBytes { Fingerprint(of: $0).text }
    let bytes = Array((Self.head + sum + "\0").utf8) + fields.bytes
    guard bytes.count <= Self.longest, let folder = try? OpenFolder(FilePath.folder(of: path), makes: true)
    else { return }
    if let made = folder.made.first { chmod(made, 0o700) }
    guard let file = try? NewFile(path, in: folder, .whole(overwrites: true), permissions: 0o600) else {
      return
    }
    let written = bytes.withUnsafeBytes { write(file.descriptor, $0.baseAddress, $0.count) }
    guard written == bytes.count, (try? file.publish(durably: false)) != nil else { return file.discard() }
  }

  private static func hasChanged(_ path: String, since time: time_t) -> Bool {
    var facts = stat()
    return stat(path, &facts) == 0 && facts.st_ctim.tv_sec >= time
  }

  /// The fingerprint of what the list depends on besides the bundles' files and libraries.
  private var fingerprint: Fingerprint {
    var print = Fingerprint()
    print.add(Version.text)
    print.add(file: "/proc/self/exe")
    // The loader's cache changes if a library that plugins depend on is installed.
    print.add(file: "/etc/ld.so.cache")
    for name in ["LD_LIBRARY_PATH", "LD_PRELOAD", "LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG"] {
      print.add(Environment[name] ?? "-")
    }
    for bundle in bundles { print.add(bundle) }
    return print
  }
}
