// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import CSwiftletMySofa

@testable import SwiftletLibraryEffects

extension FuzzTarget {
  /// Sets of head-related impulse responses, read by libmysofa, which is not instrumented. The target corrects the size
  /// in the superblock, because libmysofa refuses a longer or shorter file.
  static let sofa = FuzzTarget(
    name: "sofa",
    format: .chunks([
      "OHDR", "OCHK", "FRHP", "FHDB", "FHIB", "TREE", "GCOL", "DIMENSION_LIST", "DIMENSION_SCALE", "Data.IR",
      "ReceiverPosition", "variable. ", "M,C", "\u{1}\u{0}\u{0}\u{0}\u{0}\u{0}\u{0}\u{0}",
    ]),
    longest: 8192,
    seeds: { [SOFASeed.bytes(.plain), SOFASeed.bytes(.compressed)] },
    feed: { bytes in
      var isAccepted = false
      FuzzFile.with(sized(bytes)) { path in
        for rate: Double in [44_100, 48_000] {
          guard let table = try? HRTFTable(sofa: Array(path.utf8CString), sampleRate: rate) else { return }
          precondition(table.taps > 0)
          isAccepted = true
        }
      }
      return isAccepted
    },
    plantedFault: { bytes in
      // The number of samples, computed from the dimensions.
      guard SOFACheck.isBounded(sized(bytes)) else { return }
      FuzzFile.with(sized(bytes)) { path in
        var fault: Int32 = 0
        guard let file = mysofa_load(path, &fault) else { return }
        defer { mysofa_free(file) }
        guard mysofa_check(file) == 0 else { return }
        precondition(Int(file.pointee.M) * 2 * Int(file.pointee.N) <= Int(file.pointee.DataIR.elements))
      }
    })

  /// The bytes with their count in the superblock.
  private static func sized(_ bytes: [UInt8]) -> [UInt8] {
    guard bytes.count >= 48 else { return bytes }
    var bytes = bytes
    let place = bytes[8] < 2 ? 40 : 28
    for byte in 0..<8 { bytes[place + byte] = UInt8(truncatingIfNeeded: bytes.count >> (8 * byte)) }
    return bytes
  }
}
