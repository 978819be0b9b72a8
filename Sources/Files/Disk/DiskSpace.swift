// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import Foundation
internal import SwiftletDisk

/// Estimates when disks will be full.
enum DiskSpace {
  /// Returns the time until the first disk is full; nil if no disk reports its free space or nothing is written.
  ///
  /// - Parameter streams: the files that grow, and their rates in bytes per second.
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
