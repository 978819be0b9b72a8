// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import Foundation
internal import SwiftletDisk

/// How long disks will last.
enum DiskSpace {
  /// The time until the first disk is full; nil where no disk can be asked or nothing is written.
  ///
  /// - Parameter streams: files that grow, and by how many bytes a second.
  static func time(for streams: [(path: String, bytesPerSecond: Int)]) -> Duration? {
    var rates: [UInt: (free: Double, rate: Double)] = [:]
    for stream in streams {
      var space = statvfs()
      let folder = FilePath.folder(of: stream.path)
      guard statvfs(folder.isEmpty ? "." : folder, &space) == 0 else { continue }
      let free = Double(space.f_bavail) * Double(space.f_frsize)
      rates[UInt(space.f_fsid), default: (free, 0)].rate += Double(stream.bytesPerSecond)
    }
    return rates.values.filter { $0.rate > 0 }.map { .seconds($0.free / $0.rate) }.min()
  }
}
