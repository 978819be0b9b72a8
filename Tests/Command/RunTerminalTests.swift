// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import Foundation
import Testing

/// Runs on a terminal.
extension RunTests {
  /// Runs the tool on a terminal; the output ends with "restored", or "raw" if the terminal's mode is not restored.
  private func terminal(
    columns: Int = 90, _ steps: [[String]], _ arguments: String..., limit: Double = 90
  ) throws -> Command.Outcome {
    let script = (#filePath as NSString).deletingLastPathComponent + "/terminal.py"
    let json = String(decoding: try JSONSerialization.data(withJSONObject: steps), as: UTF8.self)
    return try swiftlet.run(
      program: "/usr/bin/python3", [script, "\(columns)", json, Command.path] + arguments, limit: limit)
  }

  @Test func `a terminal shows meters that are redrawn, and keys work`() throws {
    let outcome = try terminal(
      [["recording", "?"], ["c clear clips", "1"], ["echo (off)", "r"], ["xrun", " "], ["paused", "q"]],
      "run", "voice.yaml", "--dummy", "--play", "mic=voice.wav")
    #expect(outcome.status == 0, "\(outcome.output)")
    #expect(outcome.output.contains("\u{1B}[1mvoice"))
    #expect(outcome.output.contains("\u{1B}[7A"))
    #expect(outcome.output.contains("REC"))
    #expect(outcome.output.contains("dry-001.wav"))
    #expect(outcome.output.hasSuffix("\nrestored\n"))
  }

  @Test func `no line is wider than a narrow terminal`() throws {
    let outcome = try terminal(columns: 40, [["xrun", ""], ["0:01", "q"]], "run", "voice.yaml", "--dummy")
    #expect(outcome.status == 0)
    let frames = outcome.output.components(separatedBy: "\u{1B}[J").dropLast()
    for line in frames.joined().split(whereSeparator: \.isNewline) {
      #expect(line.replacing(#/\u{1B}\[[0-9]*[A-Za-z]/#, with: "").count < 40, "\(line)")
    }
  }

  @Test func `a resized or stopped terminal is redrawn correctly`() throws {
    // Seven lines at 90 columns, of which the four meters wrap at 60: the cursor goes up eleven rows, once.
    let outcome = try terminal(
      [["0:01", "COLUMNS=60"], ["0:02", "SIGCONT"], ["0:03", "q"]], "run", "voice.yaml", "--dummy")
    #expect(outcome.status == 0, "\(outcome.output)")
    #expect(outcome.output.components(separatedBy: "\u{1B}[11A").count == 2, "\(outcome.output)")
    // After a stop it goes up no row, but starts anew below.
    #expect(outcome.output.components(separatedBy: "\r\n\u{1B}[J\u{1B}[1mvoice").count == 2)
  }

  @Test func `a terminal lower than the display is neither scrolled nor cleared as a whole`() throws {
    // Of seven lines the cursor can go up three rows.
    let outcome = try terminal(
      [["0:01", "ROWS=4"], ["0:02", "?"], ["more", "ROWS=24"], ["0:03", "q"]], "run", "voice.yaml", "--dummy")
    #expect(outcome.status == 0, "\(outcome.output)")
    let frames = outcome.output.components(separatedBy: "\u{1B}[1mvoice")
    let low = try #require(frames.firstIndex { $0.contains("more") })
    // The first frame in the lower window follows the last one in the higher window.
    #expect(frames[low - 1].hasSuffix("\u{1B}[3A\r"), "\(frames[low - 1])")
    #expect(!outcome.output.contains("A\r\u{1B}[J"))
  }

  @Test func `an interrupt from the keyboard ends the run, and restores the terminal`() throws {
    let outcome = try terminal([["recording", "\u{3}"]], "run", "voice.yaml", "--dummy")
    #expect(outcome.status == 0, "\(outcome.output)")
    #expect(outcome.output.hasSuffix("restored\n"))
  }
}
