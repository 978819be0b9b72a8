// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import FoundationEssentials
internal import Glibc

/// The label of a preset, and its bank.
package struct StateTitle: Sendable, Equatable {
  package var label: String
  package var bank: String?

  package init(label: String, bank: String? = nil) {
    self.label = label
    self.bank = bank
  }

  /// The preset's statements about its label and bank.
  var properties: String {
    " ;\n\trdfs:label \(AtomTurtle.quoted(label))" + (bankURI.map { " ;\n\tpset:bank <\($0)>" } ?? "")
  }

  /// The statements about the bank.
  var bankStatements: String {
    guard let bank, let bankURI else { return "" }
    return "<\(bankURI)>\n\ta pset:Bank ;\n\trdfs:label \(AtomTurtle.quoted(bank)) .\n\n"
  }

  /// The bank's URI, which is the same for all presets with the same bank name.
  private var bankURI: String? {
    bank.map { bank in
      "urn:swiftlet:bank:" + AtomTurtle.percentEncoded(bank, keeping: "")
    }
  }
}
