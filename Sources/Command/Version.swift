// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import Swiftlet

/// The program's version and licence.
enum Version {
  /// The version, by the rules of semver.org.
  static let number = "0.1.0"
  /// The licence of this binary. Its built-in code is ISC, MIT or Apache-2.0. With Rubber Band (GPL-2.0-or-later) the
  /// whole binary is under the GPL, in version 3 because Apache-2.0 is compatible with that version only.
  static let license = StretchAlgorithm.finest.isBuilt ? "GPL-3.0-or-later" : "ISC"
  /// The output of `--version`.
  static let text = "swiftlet \(number)\nLicence: \(license)"
}
