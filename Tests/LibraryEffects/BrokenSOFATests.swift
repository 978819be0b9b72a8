// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import Foundation
import SwiftletLibraryEffects
import SwiftletSignal
import SwiftletTesting
import Testing

/// Damaged SOFA files, and files that are not SOFA files.
struct BrokenSOFATests {
  private let folder = FileManager.default.temporaryDirectory.appendingPathComponent("swiftlet-\(UUID())")

  init() throws { try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true) }

  /// Returns the error of an environment that loads this file; nil if it loads.
  private func refusal(_ path: String) -> EffectError? {
    do {
      // At the file's sample rate, so that nothing is resampled.
      var rig = try EnvironmentRig(rate: 44_100, file: path)
      rig.set(.rendering, 1)
      #expect(rig.render([Signals.noise(1500)]).joined().allSatisfy { $0.isFinite })
      return nil
    } catch {
      return error as? EffectError
    }
  }

  private func refusal(_ bytes: Data) throws -> EffectError? {
    let file = folder.appendingPathComponent("\(UUID()).sofa")
    try bytes.write(to: file)
    defer { try? FileManager.default.removeItem(at: file) }
    return refusal(file.path)
  }

  @Test func `a missing file and a file of another kind give different errors`() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    #expect(refusal(SOFADump.standard) == nil)
    #expect(refusal(folder.path + "/none.sofa") == .file(0, .missing))
    for text in ["", "hello", String(repeating: "RIFF", count: 5000)] {
      #expect(try refusal(Data(text.utf8)) == .file(0, .unreadable), "\(text.count) bytes")
    }
  }

  @Test(.timeLimit(.minutes(1)))
  func `an attribute with more elements than the file has bytes is refused at once`() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    var bytes = try Data(contentsOf: URL(fileURLWithPath: SOFADump.standard))
    // The list of a variable's dimensions: 16 bytes for its name, 16 for its type, and 8 before the count.
    let name = try #require(bytes.firstRange(of: Data("DIMENSION_LIST\0".utf8)))
    let count = name.lowerBound + 40
    try #require(1...3 ~= bytes[count] && bytes[count + 1..<count + 8].allSatisfy { $0 == 0 })
    bytes[count + 6] = 1
    #expect(try refusal(bytes) == .file(0, .unreadable))
  }

  @Test func `a damaged file is refused, or renders finite samples`() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let whole = try Data(contentsOf: URL(fileURLWithPath: SOFADump.standard))
    var state: UInt64 = 42, refused = 0
    func random(below limit: Int) -> Int {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int(state >> 33) % limit
    }
    for round in 0..<Effort.of(300, debug: 40) {
      var bytes = whole
      switch round % 3 {
      case 0: bytes = whole.prefix(random(below: whole.count))
      case 1:
        for _ in 0...random(below: 60) { bytes[random(below: whole.count)] ^= UInt8(1 << random(below: 8)) }
      // The first 20,000 bytes hold the structure.
      default: for _ in 0...random(below: 6) { bytes[random(below: 20_000)] = UInt8(random(below: 256)) }
      }
      let refusal = try refusal(bytes)
      #expect(refusal == nil || refusal == .file(0, .unreadable), "round \(round)")
      if round % 3 == 0 { #expect(refusal != nil, "cut to \(bytes.count) bytes") }
      if refusal != nil { refused += 1 }
    }
    #expect(refused > Effort.of(100, debug: 13))
  }
}
