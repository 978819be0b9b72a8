// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

/// Which program this is.
enum Version {
  /// The version, by the rules of semver.org.
  static let number = "0.1.0"
  /// The licence of this binary: what is built in is ISC, MIT or Apache-2.0.
  static let license = "ISC"
  /// What `--version` prints.
  static let text = "swiftlet \(number)\nLicence: \(license)"
}
