// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import Foundation
internal import SwiftletDisk

/// A folder that stores the overviews of sound files, so that each is computed once.
///
/// An entry is found by the file's path, and is valid while the file's size and modification time are unchanged.
/// Damaged entries and those of another version are computed again and replaced. If the folder grows beyond its limit,
/// the least recently used entries are removed. If the folder cannot be read or written, overviews are computed each
/// time. Any thread but the audio thread.
public struct WaveformCache: Sendable {
  /// The path of the folder.
  package let folder: String
  /// The error if the location of the folder is not in the file system; otherwise nil.
  let refusal: FileError?
  /// The maximum size of all overviews together, in bytes.
  package let byteLimit: Int

  /// Creates a cache in a folder, which is created when needed.
  ///
  /// - Parameters:
  ///   - folder: a path or a `file:` URL. An ``AudioAsset`` with a cache at any other URL throws a ``FileError`` of
  ///     kind `badName` when it is read.
  ///   - byteLimit: the maximum size of all overviews together, in bytes; the default is 512 MiB. An hour of stereo has
  ///     about 8 million bytes.
  public init(folder: some FileLocation, byteLimit: Int = 512 << 20) {
    (self.folder, refusal) = folder.resolved
    self.byteLimit = byteLimit
  }

  /// The user's cache: `swiftlet/waveforms` in `$XDG_CACHE_HOME`, or in `.cache` in the home folder; nil if neither is
  /// known.
  public static var standard: WaveformCache? {
    let variables = ProcessInfo.processInfo.environment
    // According to the XDG specification, a relative path is ignored.
    let folders = [variables["XDG_CACHE_HOME"], variables["HOME"].map { $0 + "/.cache" }]
    return folders.compactMap(\.self).first { $0.hasPrefix("/") }.map {
      WaveformCache(folder: $0 + "/swiftlet/waveforms")
    }
  }

  private static let ending = ".waveform"

  /// Returns the path of the entry for a file.
  func cachePath(of path: String) -> String {
    let name = String(WaveformCache.hash(Array(WaveformCache.whole(path).utf8)), radix: 16)
    return folder + "/" + String(repeating: "0", count: 16 - name.count) + name + WaveformCache.ending
  }

  /// Returns the absolute path, with symbolic links resolved; the unchanged path if there is no such file.
  static func whole(_ path: String) -> String {
    guard let found = realpath(path, nil) else { return path }
    defer { free(found) }
    return String(cString: found)
  }

  /// Returns the overview of a file in this state; nil if there is no valid entry.
  func load(_ path: String, _ stamp: FileStamp) -> WaveformOverview? {
    let cachePath = cachePath(of: path)
    guard refusal == nil, let size = FileStamp(cachePath)?.size, size <= WaveformCache.mostBytes,
      let bytes = FileManager.default.contents(atPath: cachePath)
    else { return nil }
    guard let overview = WaveformOverview(kept: [UInt8](bytes), of: WaveformCache.whole(path), stamp) else {
      return nil
    }
    // Updates the time of last use. The least recently used entries are removed first.
    utimes(cachePath, nil)
    return overview
  }

  /// Stores the overview of a file in this state, if possible.
  func store(_ overview: WaveformOverview, _ path: String, _ stamp: FileStamp) {
    guard let bytes = overview.kept(of: WaveformCache.whole(path), stamp),
      bytes.count <= min(byteLimit, WaveformCache.mostBytes)
    else { return }
    let folder = self.folder.isEmpty || refusal != nil ? nil : try? OpenFolder(self.folder, makes: true)
    if let made = folder?.made.first { chmod(made, 0o700) }
    guard let folder,
      let file = try? NewFile(cachePath(of: path), in: folder, .whole(overwrites: true), permissions: 0o600)
    else { return }
    let sink = FileSink(path: file.currentPath, file: file)
    let written = bytes.withUnsafeBytes { $0.baseAddress.map { sink.write($0, bytes.count) } ?? 0 }
    guard written == bytes.count, (try? file.publish(durably: false)) != nil else { return file.discard() }
    trim()
  }

  /// Removes the least recently used entries until the rest fits, and temporary files that a crash left.
  private func trim() {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    var kept: [(path: String, stamp: FileStamp)] = []
    for name in names where name.contains(WaveformCache.ending) {
      let path = folder + "/" + name
      guard let stamp = FileStamp(path) else { continue }
      if name.hasSuffix(WaveformCache.ending) { kept.append((path, stamp)) }
    }
    if let folder = try? OpenFolder(folder) { Leftovers.remove(in: folder) }
    var total = kept.reduce(0) { $0 + $1.stamp.size }
    for old in kept.sorted(by: { $0.stamp.changed < $1.stamp.changed }) where total > byteLimit {
      unlink(old.path)
      total -= old.stamp.size
    }
  }

  /// The maximum size of an entry in bytes, larger than any overview.
  private static let mostBytes = 64 << 20

  /// Returns a hash that identifies paths and detects damage: FNV, eight bytes at a time.
  static func hash(_ bytes: [UInt8], from start: Int = 0) -> UInt64 {
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    bytes.withUnsafeBytes { bytes in
      var offset = start
      while offset < bytes.count {
        var word: UInt64 = 0
        if offset + 8 <= bytes.count {
          word = bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
        } else {
          for byte in bytes[offset...] { word = word << 8 | UInt64(byte) }
        }
        hash = (hash ^ word) &* 0x100_0000_01B3
        // Without this shift, high bits would affect only higher bits.
        hash ^= hash >> 32
        offset += 8
      }
    }
    return hash
  }
}
