// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

/// The grammar of JACK client names.
public enum ClientName {
  /// The maximum length of a name in JACK, in bytes of UTF-8.
  static let lengthLimit = 63

  /// Returns the error in a name, with what was found and expected; nil if it is valid.
  public static func problem(with name: String) -> String? {
    if name.isEmpty { return "found an empty name; expected one" }
    if name.unicodeScalars.contains(where: { $0.properties.generalCategory == .control }) {
      return
        "found a control character in the name '\(Document.short(name))'; expected letters, digits and signs"
    }
    if name.contains(":") {
      return "found ':' in the name; expected a name without it, as JACK puts it before ports"
    }
    if name.utf8.count > lengthLimit {
      return
        "found a name of \(name.utf8.count) bytes; expected at most \(lengthLimit), as JACK allows no more"
    }
    return nil
  }

  /// Returns the valid name that is nearest to a file's stem.
  static func made(from stem: String) -> String {
    var name = ""
    for character in stem where name.utf8.count + character.utf8.count <= lengthLimit {
      name.append(problem(with: String(character)) == nil ? character : "-")
    }
    return name.isEmpty ? "swiftlet" : name
  }
}
