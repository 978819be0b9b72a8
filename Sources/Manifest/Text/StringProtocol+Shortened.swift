// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

extension StringProtocol {
  /// Returns the first `limit` Unicode scalars, followed by an ellipsis if there are more. It limits text from
  /// outside, which may have any length.
  package func shortened(to limit: Int = 120) -> String {
    String(String.UnicodeScalarView(unicodeScalars.prefix(limit))) + (unicodeScalars.count > limit ? "…" : "")
  }
}
