// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

/// Names a sound, or a movie, that pieces are taken from. It need not be there, or loaded, to be cut.
public struct AssetReference: Hashable, Sendable {
  /// The path of the file.
  public let path: String
  /// How long it is, where that is known: then nothing past its end can be taken.
  public let duration: MediaTime?

  /// The asset at a path.
  public init(_ path: String, duration: MediaTime? = nil) {
    self.path = path
    self.duration = duration
  }
}
