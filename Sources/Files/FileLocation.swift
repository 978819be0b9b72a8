// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

public import Foundation

/// The location of a file or folder: a path as a `String`, or a `URL` with the scheme `file:`.
public protocol FileLocation: Sendable {
  /// The path of the file, which need not exist. A relative path starts at the working directory.
  ///
  /// - Throws: ``FileError`` of kind `badName` for a location that is not in the file system.
  var filePath: String { get throws(FileError) }
}

extension FileLocation {
  /// The path, or for a location outside the file system its text with the error of ``filePath``. For initializers that
  /// do not throw: the code that later uses the file throws the error.
  package var resolved: (path: String, refusal: FileError?) {
    do throws(FileError) { return (try filePath, nil) } catch { return (error.path, error) }
  }
}

extension String: FileLocation {
  /// The string itself, as a path.
  public var filePath: String { self }
}

extension URL: FileLocation {
  /// The path of a `file:` URL.
  ///
  /// - Throws: ``FileError`` of kind `badName` for a URL with another scheme, or with the host name of another machine.
  public var filePath: String {
    get throws(FileError) {
      let machine = host ?? ""
      guard isFileURL, machine.isEmpty || machine == "localhost" else {
        throw FileError(
          .badName, absoluteString,
          "is not a file of this machine; use a path or a URL that begins with file:///")
      }
      return absoluteURL.path
    }
  }
}
