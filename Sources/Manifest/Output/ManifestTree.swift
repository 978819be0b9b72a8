// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

/// A value in the writer's output. It is not nested in the writer, because that causes a circular reference in the
/// compiler.
enum ManifestTree {
  case scalar(String)
  case list([ManifestTree])
  case mapping([(key: String, value: ManifestTree)])

  /// The value in one line (YAML flow style).
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
