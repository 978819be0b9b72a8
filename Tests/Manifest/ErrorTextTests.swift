// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import Foundation
import Swiftlet
import SwiftletManifest
import Testing

/// Every public error type as Foundation sees it: a program that does not know the type shows `localizedDescription`.
@Suite struct ErrorTextTests {
  private static let time = MediaTime.seconds(1), later = MediaTime.seconds(2)
  private static let problem = Problem(file: "a.yaml", position: .start, message: "found nothing")

  /// Values of each public type of error.
  private static let errors: [any Error] = [
    EngineError.notAttached("a"), EngineError.offlineOnly("an export"), EngineError.liveOnly("a period"),
    EngineError.effect(name: "a", .file(0, .missing)), EngineError.unknownTap("a", known: []),
    EngineError.closure(CancellationError()), EngineError.sampleRate(.nan), EngineError.bufferSize(0),
    EngineError.graph(.tooLarge), EngineError.serverLost, EngineError.isRendering,
    ExportError.endless, ExportError.engine(.isRendering),
    ScheduleError.noBeats, ScheduleError.badLoopCount(0),
    SessionError.mixesInCategory(.soloAmbient),
    FormatError.sampleRate(0), FormatError.conversion,
    GraphError.cycle(["a", "b"]), GraphError.tooLarge,
    JackError.noServer("a"), JackError.noServerProgram,
    PluginError.unknownPlugin("urn:a", nearest: nil), PluginError.noWorld,
    AutomationError.badPan(2), AutomationError.overlap(time..<later, with: time..<later),
    CompositionError.noName, CompositionError.unknownTrack("a", known: []),
    TimeError.notFinite, TimeError.badTimeSignature(beats: 0, unit: 3),
    EffectError.resources, EffectError.channels(0),
    EffectError.file(0, .empty), EffectError.FileFault.missing, EffectError.FileFault.tooLong(seconds: 1),
    problem, ManifestError([problem, problem]), fileError,
  ]

  /// A thrown file error, since programs cannot make one.
  private static var fileError: any Error {
    do {
      _ = try AudioFile(reading: "/nowhere/a.wav")
      return CancellationError()
    } catch {
      return error
    }
  }

  @Test(arguments: errors) func `an error's localized description equals its description`(error: any Error) {
    #expect(error is any LocalizedError)
    #expect(error.localizedDescription == "\(error)")
    #expect((error as NSError).localizedDescription == "\(error)")
    // Texts that Foundation and the compiler make for errors without a description.
    #expect(!"\(error)".contains("The operation could not be completed"))
    #expect(!"\(error)".contains(/error \d/))
    #expect(!"\(error)".contains(String(describing: type(of: error))))
    #expect(!"\(error)".contains("--"), "an option of the tool")
  }

  @Test func `an error about a file of an effect names the file, or the node if it is known`() {
    #expect("\(EffectError.FileFault.empty)" == "the file holds no sound")
    #expect("\(EffectError.file(0, .empty))" == "a file of this effect holds no sound")
    #expect("\(EngineError.effect(name: "hall", .file(0, .empty)))" == "a file of 'hall' holds no sound")
  }

  @Test func `an offline-only or live-only error names the initializer of the other engine`() {
    #expect("\(EngineError.offlineOnly("rendering"))".hasPrefix("rendering needs an offline engine: "))
    #expect("\(EngineError.offlineOnly("rendering"))".contains("'AudioEngine.offline(sampleRate:)'"))
    #expect("\(EngineError.liveOnly("a period"))".contains("'AudioEngine(client:)'"))
  }
}
