// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

/// The grammar of a JACK client's name.
public enum ClientName {
  /// The longest name that JACK takes, in bytes of UTF-8.
  static let lengthLimit = 63

  /// What is wrong with a name, if anything: what was found and what was expected.
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

  /// The name nearest to a file's stem that JACK takes.
  static func made(from stem: String) -> String {
    var name = ""
    for character in stem where name.utf8.count + character.utf8.count <= lengthLimit {
      name.append(problem(with: String(character)) == nil ? character : "-")
    }
    return name.isEmpty ? "swiftlet" : name
  }
}
