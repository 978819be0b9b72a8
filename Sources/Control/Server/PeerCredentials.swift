// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import Glibc

/// The user of the program on the other side of a connection.
enum PeerCredentials {
  /// Returns whether the other side of a connection is a program of this user. The kernel keeps the user that
  /// connected.
  static func isOwnUser(_ descriptor: Int32) -> Bool {
    // Linux's `struct ucred`: process, user and group.
    var credentials: (pid_t, uid_t, gid_t) = (0, .max, .max)
    var length = socklen_t(MemoryLayout.size(ofValue: credentials))
    let error = getsockopt(descriptor, SOL_SOCKET, SO_PEERCRED, &credentials, &length)
    return error == 0 && length == MemoryLayout.size(ofValue: credentials) && credentials.1 == geteuid()
  }
}
