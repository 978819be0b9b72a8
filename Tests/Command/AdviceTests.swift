// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import Swiftlet
import SwiftletManifest
import Testing

@testable import SwiftletCommand

@Suite struct AdviceTests {
  @Test func `an error of a JACK server or client ends with the option that helps`() {
    let noServer = "no JACK server 'a' is running; start one or name another with --server, or use --dummy"
    #expect(Advice.text(JackError.noServer("a")) == noServer)
    #expect(Failure(EngineError.jack(.noServer("a"))).lines == [noServer])
    #expect(
      Advice.text(EngineError.jack(.nameTaken("vocal")))
        == "JACK has a client named 'vocal' already; choose another name, such as --name vocal-2")
    #expect(Advice.text(JackError.nameTaken("vocal-9")).hasSuffix("--name vocal-10"))
  }

  @Test func `an unknown plugin without a near name ends with the command that lists them`() {
    let command = "'swiftlet list --plugins' shows what is installed"
    #expect(Advice.text(EngineError.plugin(.unknownPlugin("urn:a:b", nearest: nil))).hasSuffix(command))
    #expect(!Advice.text(PluginError.unknownPlugin("urn:a:b", nearest: "urn:a:c")).contains(command))
  }

  @Test func `a file that may be an unfinished take ends with the command that recovers it`() {
    let cut = FileError(
      .truncated, "a.wav", "is cut short; get a whole copy, or recover it", mayBeUnfinishedTake: true)
    let text = "'a.wav' is cut short; get a whole copy, or recover it with 'swiftlet recover'"
    #expect(Advice.text(cut) == text && Failure(cut)?.lines == [text])
    #expect(EventText.line(.streamFailed(node: "bed", cut))?.line == "'bed' stopped before its end: \(text)")
    #expect(Advice.text(FileError(.truncated, "a.mid", "is cut short")) == "'a.mid' is cut short")
  }

  @Test func `an existing file's error ends with the option that replaces it, unless it is a take`() {
    func line(_ error: FileError) -> String? { Failure(ExportError.file(error)).lines.first }
    #expect(
      line(FileError(.exists, "a.wav", "is already there"))
        == "'a.wav' is already there, or use --overwrite")
    #expect(
      line(FileError(.exists, "a.wav", "was left unfinished; recover it", mayBeUnfinishedTake: true))
        == "'a.wav' was left unfinished; recover it with 'swiftlet recover'")
  }

  @Test(
    arguments: [
      (nil, "a.yaml: error: x"),
      (.pluginList, "a.yaml: error: x; 'swiftlet list --plugins' shows what is installed"),
      (.takesFolder, "a.yaml: error: x, as in --takes recordings"),
      (.takesOutside, "a.yaml: error: x with --allow-outside"),
      (.recovery, "a.yaml: error: x with 'swiftlet recover'"),
    ] as [(Problem.Remedy?, String)])
  func `a problem of a manifest ends with the option or command that helps`(
    remedy: Problem.Remedy?, text: String
  ) {
    let problem = Problem(file: "a.yaml", message: "x", remedy: remedy)
    #expect(Advice.text(problem) == text)
    #expect(Failure(ManifestError([problem]))?.lines == [text])
  }
}
