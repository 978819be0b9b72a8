// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import Glibc

/// The environment variables.
enum Environment {
  /// The value of a variable; nil if it is not set.
  static subscript(_ name: String) -> String? {
    getenv(name).map { String(cString: $0) }
  }
}
