// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import Foundation
import Testing

/// Runs that are asked to end, but hang.
@Suite struct DeadlineTests {
  /// A preloaded library in which `fsync` blocks while a file `hang` exists.
  private static let library = """
    #include <unistd.h>

    static int flush(void) {
      while (access("hang", F_OK) == 0) sleep(1);
      return 0;
    }
    int fsync(int file) { (void)file; return flush(); }
    int fdatasync(int file) { (void)file; return flush(); }
    """

  @Test(.timeLimit(.minutes(3))) func `a run that hangs at its end is ended by a deadline`() throws {
    let scratch = try VoiceFixture.scratch(), swiftlet = Command(folder: scratch.path)
    try scratch.write(Self.library, to: "hang.c")
    let outcome = try swiftlet.shell(
      """
      cc -shared -fPIC -O1 -o hang.so hang.c || exit 99
      LD_PRELOAD=$PWD/hang.so swiftlet run voice.yaml --dummy --play mic=voice.wav --takes takes > out 2> words & show=$!
      size() { cat takes/*.wav* 2> /dev/null | wc -c; }
      for n in $(seq 600); do [ $(size) -gt 400000 ] && break; sleep 0.1; done
      server=$(cat /proc/$show/task/*/children)
      touch hang
      kill -INT $show
      for n in $(seq 400); do kill -0 $show 2> /dev/null || break; sleep 0.1; done
      kill -KILL $show 2> /dev/null && echo "hung"; wait $show; echo "ended $?"
      # A server that hangs, too, is killed three seconds later.
      for n in $(seq 150); do
        left=; for child in $server; do [ -e /proc/$child ] && left="$left $child"; done
        [ -z "$left" ] && break; sleep 0.1
      done
      [ -n "$left" ] && echo "left $left"
      rm hang; swiftlet recover takes; echo "recovered $?"
      """, limit: 150)
    let words = scratch.text("words")
    #expect(outcome.output.hasPrefix("ended 130\n"), "\(outcome) \(words)")
    #expect(
      words.contains("did not within 20 seconds") && words.contains("swiftlet recover FOLDER"), "\(words)")
    #expect(!outcome.output.contains("left "), "\(outcome)")
    #expect(outcome.output.hasSuffix("recovered 0\n"), "\(outcome)")
    #expect(outcome.output.components(separatedBy: "takes/").count == 3, "\(outcome)")
  }

  @Test(.timeLimit(.minutes(1)))
  func `a library whose destructor never returns does not keep the program running`() throws {
    let scratch = try VoiceFixture.scratch(), swiftlet = Command(folder: scratch.path)
    try scratch.write(
      "#include <unistd.h>\n__attribute__((destructor)) static void wait_for_ever(void) { for (;;) pause(); }\n",
      to: "hang.c")
    let built = try swiftlet.shell("cc -shared -fPIC -O1 -o hang.so hang.c")
    try #require(built.status == 0, "\(built)")
    var hanging = swiftlet
    hanging.environment["LD_PRELOAD"] = "\(scratch.path)/hang.so"
    let good = try hanging.run(program: Command.path, ["check", "voice.yaml"], limit: 30)
    #expect(good.status == 0 && good.messages.contains("good"), "\(good)")
    let missing = try hanging.run(program: Command.path, ["check", "none.yaml"], limit: 30)
    #expect(missing.status == 1 && missing.messages.contains("none.yaml"), "\(missing)")
  }
}
