// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

/// What stands after `-o`: `mix.wav`, or `desk=mix.wav` where there are several ways out.
struct OutputFile: Equatable, Sendable {
  /// The playback node; nil for the only one.
  var node: String?
  /// The file.
  var path: String

  /// Reads `desk=mix.wav` or `mix.wav`. What stands before the sign is a node where a node may be called so.
  init?(_ argument: String) {
    // Sound files need a place to go back to, which standard output is not.
    guard !argument.isEmpty, argument != "-" else { return nil }
    path = argument
    guard let file = NodeFile(argument),
      file.node.allSatisfy({ $0.isASCII && ($0.isLowercase || $0.isNumber || $0 == "-") })
    else { return }
    (node, path) = (file.node, file.path)
  }
}
