// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

/// A reference to a sound or movie file that clips are taken from. The file need not exist while clips are edited.
public struct AssetReference: Hashable, Sendable {
  /// The path of the file.
  public let path: String
  /// The length of the asset, if it is known. Clips must then end within it.
  public let duration: MediaTime?

  /// Creates a reference to the asset at a path.
  public init(_ path: String, duration: MediaTime? = nil) {
    self.path = path
    self.duration = duration
  }
}
