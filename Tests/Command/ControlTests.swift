// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import Foundation
import SwiftletControl
import Testing

/// Running sessions that other commands of the tool control.
@Suite(.serialized) struct ControlTests {
  private let scratch: Scratch
  private let swiftlet: Command
  /// A name that no session of another test has.
  private let name = "remote-\(UInt32.random(in: 0...UInt32.max))"

  init() throws {
    scratch = try VoiceFixture.scratch()
    swiftlet = Command(folder: scratch.path)
    try scratch.write(
      """
      swiftlet: 1
      name: \(name)
      nodes:
        mic:  { capture: mono, connect: none }
        vol:  { effect: gain }
        echo: { effect: delay, set: { mix: 0 % } }
        main: { mixer: stereo }
        desk: { playback: stereo, connect: none }
      wires:
        - mic -> vol -> echo -> main -> desk
      taps:
        dry: { after: mic, record: "{tap}-{take}.wav" }
        wet: { after: vol, record: "{tap}-{take}.wav" }
      """, to: "remote.yaml")
  }

  /// Runs a manifest in the background, then commands once the session answers, and ends the session. In the commands,
  /// `to COMMAND …` controls the session.
  private func controlling(
    _ commands: String, manifest: String = "remote.yaml"
  ) throws -> Command.Outcome {
    try swiftlet.shell(
      """
      swiftlet run \(manifest) --dummy --play mic=voice.wav 2> words > takes & show=$!
      to() { swiftlet "$@" --session \(name); }
      for n in $(seq 600); do to status > /dev/null 2>&1 && break; sleep 0.1; done
      \(commands)
      kill -INT $show; wait $show; echo "run ended with $?"
      """, limit: 150)
  }

  @Test func `a value that another program sets glides in the take as its formula states`() throws {
    let outcome = try controlling(
      """
      to set vol.gain -12dB --over 0.5 || exit 1
      to get vol.gain
      for n in $(seq 600); do to get taps.dry.file | grep -q dry && break; sleep 0.1; done
      sleep 1.5
      """)
    #expect(outcome.output == "-12 dB\nrun ended with 0\n", "\(outcome.messages) \(scratch.text("words"))")
    let dry = try #require(VoiceFixture.channel(0, of: 1, "\(scratch.path)/dry-001.wav"))
    let wet = try #require(VoiceFixture.channel(0, of: 1, "\(scratch.path)/wet-001.wav"))
    #expect(dry.count == wet.count)
    let length = 24_000, end = pow(10, -12.0 / 20)
    // A frame in the middle of the ramp gives the frame at which the ramp starts.
    let middle = try #require(
      zip(dry, wet).enumerated().first { _, pair in
        abs(pair.0) > 0.2 && (0.5...0.7).contains(Double(pair.1) / Double(pair.0))
      })
    let share = (1 - Double(middle.element.1) / Double(middle.element.0)) / (1 - end)
    let start = middle.offset - Int((share * Double(length)).rounded()) + 1
    try #require(start > 0 && start + length < dry.count, "the ramp is not in the take")
    for (frame, pair) in zip(dry, wet).enumerated() {
      let passed = Double(min(max(frame - start + 1, 0), length)) / Double(length)
      let expected = Double(pair.0) * (1 + (end - 1) * passed)
      guard abs(Double(pair.1) - expected) > 2e-6 else { continue }
      Issue.record("frame \(frame): \(pair.1) instead of \(expected)")
      break
    }
  }

  @Test func `values, bypass, takes, undo and status are reached by commands`() throws {
    let outcome = try controlling(
      """
      to get echo.time; to set echo.time '0.35 s'; to get echo.time; to get echo.change
      to set echo.change tape; to get echo.change
      to get vol 'vol.out -> echo.in.gain'
      to bypass echo; to get echo.bypass; to undo; to get echo.bypass; to undo; echo "undo $?"; to undo --redo
      to bypass echo off; to set main.gain -3.5dB; to get main.gain
      to set 'echo->main.pan' -0.5; to get 'echo->main.pan'; to set 'echo->main.mute' true; to get 'echo->main.mute'
      for n in $(seq 600); do to get taps.dry.peak | grep -q '^-6 dB' && break; sleep 0.1; done; to get taps.dry.peak
      to take end; to take start wet; to get taps.wet.record taps.dry.record; to take end wet
      to status --json > status.json; to get --json echo.time > get.json; swiftlet ps > ps
      """)
    let lines = outcome.output.split(separator: "\n").map(String.init)
    #expect(
      lines == [
        "500 ms", "350 ms", "fade", "tape", "vol.bypass      false", "vol.gain        0 dB",
        "vol->echo.gain  0 dB", "on", "true", "false", "undo 1", "off", "-3.5 dB", "-0.5", "true",
        "-6 dB", "dry-001.wav", "wet-001.wav", "wet-002.wav", "taps.dry.record  false",
        "taps.wet.record  true",
        "wet-002.wav", "run ended with 0",
      ], "\(outcome.output) \(outcome.messages) \(scratch.text("words"))")
    #expect(outcome.messages == "swiftlet: error: there is no edit to undo\n")
    #expect(scratch.text("status.json").contains("\"name\": \"\(name)\""))
    #expect(scratch.text("status.json").contains("\"state\": \"running\""))
    for part in ["\"unit\": \"ms\"", "\"value\": 350", "\"default\": 500", "\"minimum\": ", "\"format\": 1"] {
      #expect(scratch.text("get.json").contains(part), "\(scratch.text("get.json"))")
    }
    #expect(scratch.text("ps").contains(name))
  }

  @Test func `a wrong address or value changes nothing and ends with status 2`() throws {
    let outcome = try controlling(
      """
      fails() { to "$@"; echo "$?"; }
      fails set echo.tiem 1ms; fails set eco.time 1ms; fails set echo.time 99s; fails set echo.time 3dB
      fails set echo.change tap; fails set echo.bypass maybe; fails set echo.bypass on --over 1
      fails bypass mic; fails take start wett; fails get nothing; fails transport play; fails set taps.wet.file x
      fails set echo.time 1ms --over -1
      to get echo.time
      """)
    #expect(
      outcome.output == "2\n2\n2\n2\n2\n2\n2\n2\n2\n2\n1\n2\n2\n500 ms\nrun ended with 0\n",
      "\(outcome.messages)")
    let messages = outcome.messages.split(separator: "\n").map { $0.replacing("swiftlet: error: ", with: "") }
    for expected in [
      "'echo' has no value 'tiem'; did you mean 'time'?",
      "there is no address 'eco.time'; did you mean 'echo.time'?",
      "'echo.time': found '99s', which is out of range; expected 'time' to be a number from ",
      "'echo.time': found '3dB', which has a wrong unit; expected 'time' in ms",
      "'echo.change': found 'tap' for 'change'; did you mean 'tape'?", "there is no effect or plugin 'mic'",
      "there is no tap 'wett' that records; did you mean 'wet'?", "the timeline has no transport",
      "'taps.wet.file' can only be read",
    ] {
      #expect(messages.contains { $0.contains(expected) }, "\(expected) in \(messages)")
    }
  }

  @Test func `a paused timeline is started, moved and stopped`() throws {
    try scratch.write(
      """
      swiftlet: 1
      name: \(name)
      nodes:
        mic:  { capture: mono, connect: none }
        desk: { playback: mono, connect: none }
      timeline:
        tempo: 120 bpm
        start: paused
        tracks:
          bed: [ { file: voice.wav } ]
      wires:
        - mic -> desk
        - bed -> desk
      """, to: "paused.yaml")
    let outcome = try controlling(
      """
      to get timeline.rolling timeline.position
      to transport seek '2|1'; to get timeline.position
      to transport play; to get timeline.rolling
      for n in $(seq 600); do to get timeline.position | grep -q '^2 s' || break; sleep 0.1; done
      to transport stop; to get timeline.rolling; to transport seek 1:30.5; to get timeline.position
      """, manifest: "paused.yaml")
    #expect(
      outcome.output
        == "timeline.position  0 s\ntimeline.rolling   false\n2 s\ntrue\nfalse\n90.5 s\nrun ended with 0\n",
      "\(outcome.messages) \(scratch.text("words"))")
    #expect(scratch.text("words").contains("the timeline is paused; 'swiftlet transport play' starts it"))
  }

  @Test func `two sessions with one name are told apart by their processes`() throws {
    let outcome = try swiftlet.shell(
      """
      # A session ends if other tests have all private servers for a minute.
      for n in $(seq 1200); do
        kill -0 $one 2> /dev/null || { swiftlet run remote.yaml --dummy --no-record 2> words & one=$!; }
        kill -0 $two 2> /dev/null || { swiftlet run remote.yaml --dummy --no-record 2> words-2 & two=$!; }
        swiftlet get vol.gain --session $one > /dev/null 2>&1 && swiftlet get vol.gain --session $two > /dev/null 2>&1 && break
        sleep 0.1
      done
      swiftlet set vol.gain -6dB --session \(name); echo "$?"
      swiftlet set vol.gain -6dB --session $one
      swiftlet get vol.gain --session $one; swiftlet get vol.gain --session $two
      kill -INT $one $two; wait $one; wait $two
      swiftlet get vol.gain --session \(name) 2> after; [ $? -ge 2 ] && cat after
      """, limit: 250)
    #expect(outcome.output.hasPrefix("2\n-6 dB\n0 dB\nswiftlet: error: no session "), "\(outcome.output)")
    #expect(outcome.messages.contains("); name one by its process with --session\n"))
  }

  @Test func `watch prints changes as lines of JSON until the session ends`() throws {
    let outcome = try controlling(
      """
      to watch vol.gain taps.wet.record --json > watched 2> end & watch=$!
      for n in $(seq 600); do grep -q vol watched && break; sleep 0.1; done
      to set vol.gain -6dB
      for n in $(seq 600); do grep -q -- -6 watched && break; sleep 0.1; done
      kill -INT $show; wait $watch; echo "watch ended with $?"
      """)
    #expect(outcome.output == "watch ended with 0\nrun ended with 0\n")
    #expect(scratch.text("end") == "the session has ended the connection\n")
    let lines = scratch.text("watched").split(separator: "\n")
    #expect(
      lines.first
        == #"{"format": 1, "values": [{"address": "vol.gain", "value": 0, "text": "0 dB"}, {"address": "taps.wet.record", "value": true, "text": "true"}]}"#,
      "\(lines)")
    let changed = #""values": [{"address": "vol.gain", "value": -6, "text": "-6 dB"}]"#
    #expect(lines.contains { $0.contains(changed) }, "\(lines)")
    for line in lines {
      #expect(throws: Never.self) { try JSONSerialization.jsonObject(with: Data(line.utf8)) }
    }
  }

  @Test func `the shell completes sessions, addresses, choices, nodes and taps`() throws {
    let outcome = try controlling(
      """
      ask() { swiftlet ---completion "$@"; }
      ask set -- positional@0 0 0 swiftlet set --session \(name) ec > addresses
      ask set -- positional@1 0 0 swiftlet set --session \(name) echo.change x > choices
      ask set -- --session 0 0 swiftlet set --session x > sessions
      """)
    #expect(outcome.output == "run ended with 0\n", "\(outcome.messages)")
    #expect(
      scratch.text("addresses").split(separator: "\n").contains("echo.time"), "\(scratch.text("addresses"))")
    #expect(!scratch.text("addresses").contains("taps.wet.file"))
    #expect(scratch.text("choices").contains("tape"))
    #expect(scratch.text("sessions").contains(name))
  }

  @Test func `a session that does not answer and one that is not there are reported`() throws {
    let missing = try swiftlet.run("get", "vol.gain", "--session", name)
    #expect([2, 3].contains(missing.status) && missing.messages.hasPrefix("swiftlet: error: no session "))
    // The process is stopped, so the session does not answer.
    let stopped = try controlling(
      """
      kill -STOP $show
      swiftlet ps > ps; to get vol.gain; echo "$?"
      kill -CONT $show; to get vol.gain
      """)
    // The takes have lost the sound of that time.
    #expect(stopped.output.hasPrefix("3\n0 dB\nrun ended with "), "\(stopped.output) \(stopped.messages)")
    #expect(stopped.messages.contains("the session did not answer within 10 s"))
    #expect(scratch.text("ps").contains("does not answer"))
  }
}
