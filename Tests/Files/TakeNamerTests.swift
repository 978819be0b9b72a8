// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import Foundation
import SwiftletFiles
import Testing

@Suite struct TakeNamerTests {
  private let date =
    Calendar(identifier: .gregorian).date(
      from: DateComponents(year: 2026, month: 1, day: 31, hour: 23, minute: 5, second: 9)) ?? .distantPast

  private func namer(_ folder: Folder) -> TakeNamer {
    TakeNamer(folder: folder.path, session: "vocal", date: date)
  }

  private func request(_ tap: String, _ pattern: String, overwrites: Bool = false) -> TakeNamer.NameRequest {
    TakeNamer.NameRequest(tap: tap, pattern: pattern, overwrites: overwrites)
  }

  @Test func `the taps of a take share one number, the next above all existing ones`() throws {
    let folder = try Folder()
    let requests = [request("dry", "{tap}-{take}.wav"), request("wet", "wet-{take}.flac")]
    let first = try namer(folder).names(for: requests)
    #expect(first.take == 1)
    #expect(first.paths == [folder["dry-001.wav"], folder["wet-001.flac"]])
    _ = try folder.write("dry-001.wav", Data())
    _ = try folder.write("wet-004.flac", Data())
    _ = try folder.write("dry-77.wav", Data())
    _ = try folder.write("dry-900-old.wav", Data())
    #expect(try namer(folder).names(for: requests).paths == [folder["dry-005.wav"], folder["wet-005.flac"]])
  }

  @Test func `an unfinished take keeps its number`() throws {
    let folder = try Folder()
    _ = try folder.write("a-001.flac.journal", Data())
    #expect(try namer(folder).names(for: [request("a", "a-{take}.flac")]).paths == [folder["a-002.flac"]])
    _ = try folder.write("b.flac.rf64", Data())
    #expect(try namer(folder).names(for: [request("b", "b.flac")]).paths == [folder["b-001.flac"]])
  }

  @Test func `all tokens are replaced, in folders too`() throws {
    let folder = try Folder()
    let names = try namer(folder).names(for: [request("dry", "{name}/{date}_{time}/{tap}.{take}.wav")])
    #expect(names.paths == [folder["vocal/2026-01-31_23-05-09/dry.001.wav"]])
    try FileManager.default.createDirectory(atPath: folder["take 012"], withIntermediateDirectories: true)
    #expect(try namer(folder).names(for: [request("dry", "take {take}/{tap}.wav")]).take == 13)
    let absolute = try namer(folder).names(for: [request("dry", folder["x.wav"])])
    #expect(absolute.paths == [folder["x.wav"]])
  }

  @Test func `a name without a number is used while it is free`() throws {
    let folder = try Folder()
    let requests = [request("dry", "voice.wav"), request("wet", "wet-{take}.wav")]
    #expect(try namer(folder).names(for: requests).paths == [folder["voice.wav"], folder["wet-001.wav"]])
    _ = try folder.write("voice.wav", Data())
    _ = try folder.write("wet-001.wav", Data())
    #expect(try namer(folder).names(for: requests).paths == [folder["voice-002.wav"], folder["wet-002.wav"]])
    let replacing = [request("dry", "voice.wav", overwrites: true)]
    #expect(try namer(folder).names(for: replacing).paths == [folder["voice.wav"]])
  }

  @Test func `numbers continue beyond a thousand takes`() throws {
    let folder = try Folder()
    _ = try folder.write("a-999.wav", Data())
    #expect(try namer(folder).names(for: [request("a", "a-{take}.wav")]).paths == [folder["a-1000.wav"]])
    _ = try folder.write("a-1000.wav", Data())
    #expect(try namer(folder).names(for: [request("a", "a-{take}.wav")]).paths == [folder["a-1001.wav"]])
    _ = try folder.write("a-99999999999999999999.wav", Data())
    _ = try folder.write("a-9223372036854775807.wav", Data())
    #expect(throws: Never.self) { try namer(folder).names(for: [request("a", "a-{take}.wav")]) }
  }

  @Test(arguments: ["{tape}.wav", "{take.wav", "take}.wav", "", "folder/", "{}", "a{ta{take}p}.wav"])
  func `an invalid pattern is refused`(_ pattern: String) throws {
    let folder = try Folder()
    #expect {
      try namer(folder).names(for: [request("dry", pattern)])
    } throws: { ($0 as? FileError)?.kind == .badName }
  }

  @Test func `two taps cannot write one file`() throws {
    let folder = try Folder()
    #expect {
      try namer(folder).names(for: [request("dry", "x-{take}.wav"), request("wet", "x-{take}.wav")])
    } throws: { "\($0)".contains("'dry' and 'wet'") }
  }
}
