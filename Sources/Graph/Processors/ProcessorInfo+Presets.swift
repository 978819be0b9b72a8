// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

extension ProcessorInfo.Preset {
  /// Finds a preset by its identifier, which for a plugin is a URI; by its label; by its bank and its number in the
  /// bank, as in `Pads/2`; or by its number in the list. Numbers count from 1.
  package static func find(_ name: String, among presets: [Self]) -> Self? {
    if let found = presets.first(where: { $0.id == name }) ?? presets.first(where: { $0.label == name }) {
      return found
    }
    func item(_ text: Substring, of list: [Self]) -> Self? {
      guard text.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }),
        let number = Int(text), list.indices.contains(number - 1)
      else { return nil }
      return list[number - 1]
    }
    guard let slash = name.lastIndex(of: "/") else { return item(name[...], of: presets) }
    return item(name[name.index(after: slash)...], of: presets.filter { $0.bank == String(name[..<slash]) })
  }

  /// Finds the preset for a MIDI program change. Bank 0 is the first bank of the list. If no preset has a bank, each
  /// group of 128 presets is a bank.
  package static func find(bank: Int, program: Int, among presets: [Self]) -> Self? {
    var banks: [String] = []
    for case let bank? in presets.map(\.bank) where !banks.contains(bank) { banks.append(bank) }
    if banks.isEmpty {
      let (start, isTooLarge) = bank.multipliedReportingOverflow(by: 128)
      let index = start.addingReportingOverflow(program)
      guard !isTooLarge, !index.overflow, presets.indices.contains(index.partialValue) else { return nil }
      return presets[index.partialValue]
    }
    guard banks.indices.contains(bank) else { return nil }
    let own = presets.filter { $0.bank == banks[bank] }
    return own.indices.contains(program) ? own[program] : nil
  }
}
