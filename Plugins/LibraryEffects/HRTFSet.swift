// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import Glibc
internal import SwiftletSignal
internal import Synchronization

/// A set of head-related transfer functions in memory, shared by all effects that use it at the same sample rate.
///
/// It is read from a SOFA file (AES69). The last set is kept in memory, so that a new effect with the same file is
/// created at once.
@safe final class HRTFSet: @unchecked Sendable {
  /// The table that the audio thread reads. It is valid as long as this object.
  let table: UnsafeMutablePointer<HRTFTable>
  fileprivate let origin: Origin

  /// The identity of the file, its version, and the sample rate.
  fileprivate struct Origin: Equatable {
    var path: [CChar], rate: Double
    var device: UInt64, file: UInt64, size: Int64, seconds: Int, nanoseconds: Int
  }

  fileprivate struct Cache: Sendable {
    var latest: HRTFSet?
    var others: [Reference] = []
  }

  fileprivate struct Reference: Sendable {
    weak let set: HRTFSet?
  }

  private static let cache = Mutex(Cache())

  private init(_ table: consuming HRTFTable, _ origin: Origin) {
    unsafe self.table = .allocate(capacity: 1)
    unsafe self.table.initialize(to: table)
    self.origin = origin
  }

  deinit {
    unsafe table.deinitialize(count: 1)
    unsafe table.deallocate()
  }

  /// Returns the set in the file at `path`, or the one that comes with libmysofa, at `sampleRate`. Control thread.
  ///
  /// - Throws: `EffectError.file(0, …)`.
  static func shared(_ path: [CChar]?, sampleRate: Double) throws(EffectError) -> HRTFSet {
    guard let path = path ?? defaultPath() else { throw .file(0, .missing) }
    let origin = try Origin(path, sampleRate)
    return try cache.withLock { cache throws(EffectError) in
      if let existing = cache.find(origin) { return existing }
      let made = HRTFSet(try HRTFTable(sofa: path, sampleRate: sampleRate), origin)
      cache.keep(made)
      return made
    }
  }

  /// Returns the path of libmysofa's own set: in the first of the system's data directories that has it, in the order
  /// of the XDG base directory specification.
  private static func defaultPath() -> [CChar]? {
    let named = unsafe getenv("XDG_DATA_DIRS").map { unsafe String(cString: $0) } ?? ""
    let folders = named.isEmpty ? "/usr/local/share:/usr/share" : "\(named):/usr/local/share:/usr/share"
    for folder in folders.split(separator: ":") where folder.hasPrefix("/") {
      for name in ["default.sofa", "MIT_KEMAR_normal_pinna.sofa"] {
        let path = Array("\(folder)/libmysofa/\(name)".utf8CString)
        if unsafe access(path, R_OK) == 0 { return path }
      }
    }
    return nil
  }
}

extension HRTFSet.Origin {
  fileprivate init(_ path: [CChar], _ rate: Double) throws(EffectError) {
    var status = stat()
    guard unsafe stat(path, &status) == 0 else { throw .file(0, .missing) }
    self.init(
      path: path, rate: rate, device: UInt64(status.st_dev), file: UInt64(status.st_ino),
      size: Int64(status.st_size), seconds: Int(status.st_mtim.tv_sec),
      nanoseconds: Int(status.st_mtim.tv_nsec))
  }
}

extension HRTFSet.Cache {
  fileprivate mutating func find(_ origin: HRTFSet.Origin) -> HRTFSet? {
    others.removeAll { $0.set == nil }
    let found = others.lazy.compactMap(\.set).first { $0.origin == origin }
    if let found { latest = found }
    return found
  }

  fileprivate mutating func keep(_ set: HRTFSet) {
    latest = set
    others.append(HRTFSet.Reference(set: set))
  }
}
