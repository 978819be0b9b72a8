// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import Foundation
import Testing

@testable import SwiftletCommand

/// `swiftlet recover` on folders that other programs use at the same time, or with unusual names.
@Suite(.timeLimit(.minutes(10))) struct RecoverTests {
  let scratch: Scratch
  let swiftlet: Command

  init() throws {
    scratch = try VoiceFixture.scratch()
    swiftlet = Command(folder: scratch.path)
  }

  /// Leaves two unfinished takes in the folder `left`.
  private func crash() throws {
    let outcome = try swiftlet.shell(
      """
      swiftlet run voice.yaml --dummy --play mic=voice.wav --takes left > out 2> words & run=$!
      for n in $(seq 600); do [ -s left/wet-001.flac.rf64 ] && break; sleep 0.1; done
      sleep 1; kill -KILL $run; wait $run; ls left | wc -l
      """, limit: 100)
    try #require(outcome.output == "4\n", "\(outcome) \(scratch.text("words"))")
  }

  @Test func `of two simultaneous recoveries one finishes all takes, and the other may fail`() throws {
    try crash()
    let outcome = try swiftlet.shell(
      """
      for round in 1 2 3 4 5; do
        rm -rf takes; cp -r left takes
        swiftlet recover takes > one 2> one.words & first=$!
        swiftlet recover takes > two 2> two.words & second=$!
        wait $first; a=$?; wait $second; b=$?
        echo "$(( a < b ? a : b )) $(( a < b ? b : a )) $(ls takes | tr '\\n' ' ')"
        [ $((a + b)) = 0 ] || cat one.words two.words >&2
      done
      """, limit: 100)
    let rounds = outcome.output.split(separator: "\n")
    #expect(rounds.count == 5, "\(outcome)")
    for round in rounds {
      #expect(round.hasPrefix("0 0 ") || round.hasPrefix("0 1 "), "\(outcome)")
      #expect(round.hasSuffix(" dry-001.wav wet-001.flac "), "\(outcome)")
    }
    let refusals = outcome.messages.split(separator: "\n")
    #expect(
      refusals.allSatisfy { $0.hasPrefix("swiftlet: error: 'takes' is being recovered by another program") },
      "\(outcome)")
    #expect(refusals.count == rounds.count { $0.hasPrefix("0 1 ") }, "\(outcome)")
  }

  @Test func `a folder with a name that is not valid UTF-8 is reported, and recovered from inside`() throws {
    try crash()
    let outcome = try swiftlet.shell(
      """
      wrong="takes/$(printf 'a\\377b')"
      mkdir takes; cp -r left "$wrong"
      swiftlet recover takes; echo "outside $?"
      swiftlet recover "$wrong"; echo "named $?"
      (cd "$wrong" && swiftlet recover .); echo "inside $?"
      ls "$wrong" | wc -l; rm -r takes
      """)
    #expect(outcome.output.contains("outside 1\nnamed 2\n"), "\(outcome)")
    #expect(outcome.output.hasSuffix("inside 0\n2\n"), "\(outcome)")
    let lines = outcome.messages.split(separator: "\n").filter { $0.contains("error: ") }
    #expect(lines.count == 2 && lines.allSatisfy { $0.contains("'takes/a%FFb'") }, "\(outcome)")
  }
}
