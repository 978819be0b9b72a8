// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

/// The value of `-o`: `mix.wav`, or `desk=mix.wav` if there are several playback nodes.
struct OutputFile: Equatable, Sendable {
  /// The playback node; nil for the only one.
  var node: String?
  /// The file's path.
  var path: String

  /// Parses `desk=mix.wav` or `mix.wav`. The text before `=` is a node's name only if it has the characters of one.
  init?(_ argument: String) {
    // The writer of a sound file seeks, which standard output does not support.
    guard !argument.isEmpty, argument != "-" else { return nil }
    path = argument
    guard let file = NodeFile(argument),
      file.node.allSatisfy({ $0.isASCII && ($0.isLowercase || $0.isNumber || $0 == "-") })
    else { return }
    (node, path) = (file.node, file.path)
  }
}
