// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import Foundation

/// The text of a manifest and the name of its file, read with care.
public struct ManifestText: Sendable, Equatable {
  /// The longest manifest, in bytes: 1 MiB.
  public static let byteLimit = 1 << 20

  /// What the file is called in messages.
  public var file: String
  /// The text.
  public var text: String

  /// Text that is at hand already.
  public init(_ text: String, file: String) {
    self.file = file
    self.text = text
  }

  /// Reads a file.
  ///
  /// - Throws: one problem: the file is missing, a directory, unreadable, longer than ``byteLimit`` (told before
  ///   it is read), or not UTF-8.
  public init(contentsOf path: String) throws(ManifestError) {
    func refusal(_ message: String) -> ManifestError { ManifestError(Problem(file: path, message: message)) }
    var isDirectory: ObjCBool = false
    guard FileManager.default.fileExists(atPath: path, isDirectory: &isDirectory) else {
      throw refusal("found no such file; expected a manifest, such as manifests/vocal.yaml")
    }
    guard !isDirectory.boolValue else {
      throw refusal("found a directory; expected a manifest, such as manifests/vocal.yaml")
    }
    let tooLong = "found more than 1 MiB; expected a manifest, which is text of a few pages"
    let size = (try? FileManager.default.attributesOfItem(atPath: path)[.size]) as? Int ?? 0
    guard size <= Self.byteLimit else { throw refusal(tooLong) }
    let bytes: Data
    do {
      guard let handle = FileHandle(forReadingAtPath: path) else {
        throw refusal("cannot be read: expected a file that you are allowed to read")
      }
      defer { try? handle.close() }
      bytes = try handle.read(upToCount: Self.byteLimit + 1) ?? Data()
    } catch let error as ManifestError {
      throw error
    } catch {
      throw refusal("cannot be read: \(error.localizedDescription)")
    }
    guard bytes.count <= Self.byteLimit else { throw refusal(tooLong) }
    // Some editors put a mark before the text that says nothing in UTF-8.
    let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
    let words = bytes.starts(with: mark) ? bytes.dropFirst(mark.count) : bytes
    guard let text = String(validating: words, as: UTF8.self) else {
      throw refusal("found bytes that are no text; expected YAML in UTF-8")
    }
    self.init(text, file: path)
  }
}
