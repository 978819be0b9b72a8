// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

/// What a manifest writes under a key. Not nested in the writer: the compiler goes in circles where it is.
enum ManifestTree {
  case scalar(String)
  case list([ManifestTree])
  case mapping([(key: String, value: ManifestTree)])

  /// In one line.
  var flow: String {
    switch self {
    case .scalar(let text): text
    case .list(let items): items.isEmpty ? "[]" : "[ " + items.map(\.flow).joined(separator: ", ") + " ]"
    case .mapping(let entries):
      entries.isEmpty
        ? "{}" : "{ " + entries.map { "\($0.key): \($0.value.flow)" }.joined(separator: ", ") + " }"
    }
  }
}
