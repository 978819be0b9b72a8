// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import Testing

struct ThreadNameTests {
  @Test func `the threads of a run have descriptive names`() throws {
    let scratch = try VoiceFixture.scratch()
    // After its end a process has no `exe`. Its command line is unsuitable: it is empty while a program is loaded.
    let outcome = try Command(folder: scratch.path).shell(
      """
      swiftlet run voice.yaml --dummy --for 3 --play mic=voice.wav --takes takes >takes.txt 2>words & show=$!
      while readlink /proc/$show/exe >/dev/null; do
        cat /proc/$show/task/*/comm >>names
        sleep 0.1
      done
      wait $show; echo "status $?"; sort -u names
      """, limit: 100)
    let lines = Set(outcome.output.split(separator: "\n"))
    for wanted in ["status 0", "swiftlet-engine", "swiftlet-jack", "swiftlet-output", "swiftlet-writer"] {
      #expect(lines.contains(wanted[...]), "\(outcome) \(scratch.text("words"))")
    }
  }
}
