// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import Swiftlet

/// Which program this is.
enum Version {
  /// The version, by the rules of semver.org.
  static let number = "0.1.0"
  /// The licence of this binary: what is built in is ISC, MIT or Apache-2.0. Rubber Band's, GPL-2.0-or-later,
  /// takes all of that in, and Apache-2.0 goes with version 3 alone.
  static let license = StretchEngine.finest.isBuilt ? "GPL-3.0-or-later" : "ISC"
  /// What `--version` prints.
  static let text = "swiftlet \(number)\nLicence: \(license)"
}
