// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import Foundation
internal import Glibc

/// Where this user's programs of ours leave what they share, for the length of the session.
package enum RuntimeFolder {
  /// `$XDG_RUNTIME_DIR/swiftlet`, else one in `/tmp`: made where it is not there, this user's own, and open to nobody
  /// else; nil where neither can be had.
  package static func path() -> String? {
    let session = ProcessInfo.processInfo.environment["XDG_RUNTIME_DIR"].map { $0 + "/swiftlet" }
    return [session, "/tmp/swiftlet-\(getuid())"].compactMap(\.self).first { folder in
      mkdir(folder, 0o700)
      var facts = stat()
      guard lstat(folder, &facts) == 0, facts.st_mode & S_IFMT == S_IFDIR, facts.st_uid == getuid() else {
        return false
      }
      return facts.st_mode & 0o077 == 0 || chmod(folder, 0o700) == 0
    }
  }
}
