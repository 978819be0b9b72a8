// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import FoundationEssentials
internal import Glibc

/// What people call a preset, and the bank that it is in.
package struct StateTitle: Sendable, Equatable {
  package var label: String
  package var bank: String?

  package init(label: String, bank: String? = nil) {
    self.label = label
    self.bank = bank
  }

  /// What the preset says of it.
  var properties: String {
    " ;\n\trdfs:label \(AtomTurtle.quoted(label))" + (bankURI.map { " ;\n\tpset:bank <\($0)>" } ?? "")
  }

  /// What is said of the bank.
  var bankStatements: String {
    guard let bank, let bankURI else { return "" }
    return "<\(bankURI)>\n\ta pset:Bank ;\n\trdfs:label \(AtomTurtle.quoted(bank)) .\n\n"
  }

  /// The same for all presets whose bank is called so.
  private var bankURI: String? {
    bank.map { bank in
      "urn:swiftlet:bank:" + AtomTurtle.percentEncoded(bank, keeping: "")
    }
  }
}
