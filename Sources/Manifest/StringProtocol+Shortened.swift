// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

extension StringProtocol {
  /// The first `limit` Unicode scalars, with an ellipsis if there are more: for text from outside, which may be of
  /// any length.
  package func shortened(to limit: Int = 120) -> String {
    String(String.UnicodeScalarView(unicodeScalars.prefix(limit))) + (unicodeScalars.count > limit ? "…" : "")
  }
}
