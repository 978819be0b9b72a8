// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import Foundation
import Testing

@Suite struct CommandLineTests {
  let swiftlet = Command()

  @Test(arguments: [
    ["--foo"], ["frobnicate"], ["check"], ["show"], ["list", "--color", "mauve"], ["list", "-q", "-v"],
    ["show", "a", "b"],
  ])
  func `an invalid command line ends with status 2 and one line`(arguments: [String]) throws {
    let outcome = try swiftlet.run(program: Command.path, arguments, limit: 20)
    #expect(outcome.status == 2)
    #expect(outcome.output == "")
    #expect(outcome.messages.hasPrefix("swiftlet: error: "))
    #expect(outcome.messages.filter { $0 == "\n" }.count == 1)
  }

  @Test func `a misspelt command is distinguished from a misspelt argument`() throws {
    let outcome = try swiftlet.run("shwo", "gain")
    #expect(outcome.messages == "swiftlet: error: there is no command 'shwo'; did you mean 'show'?\n")
  }

  @Test func `every command has help that ends with status 0`() throws {
    let help = try swiftlet.run("--help")
    #expect(help.status == 0)
    for command in [
      "run", "render", "check", "graph", "list", "show", "bench", "audit", "state", "preset", "lv2",
      "recover", "schema", "ps", "status", "get", "set", "bypass", "take", "transport", "undo", "watch",
    ] {
      #expect(help.output.contains("\n  \(command) "))
      let outcome = try swiftlet.run(command, "--help")
      #expect(outcome.status == 0)
      #expect(outcome.output.contains("USAGE: swiftlet \(command)"))
      #expect(outcome.messages == "")
    }
  }

  @Test func `--version shows the licence`() throws {
    let outcome = try swiftlet.run("--version")
    #expect(outcome.status == 0)
    let match = try #require(outcome.output.wholeMatch(of: #/swiftlet \d+\.\d+\.\d+\nLicence: (.*)\n/#))
    #if RubberBand
      #expect(match.1 == "GPL-3.0-or-later")
    #else
      #expect(match.1 == "ISC")
    #endif
    #expect(try swiftlet.run("list", "--version").output == outcome.output)
  }

  @Test func `completion scripts are generated for three shells`() throws {
    for shell in ["bash", "zsh", "fish"] {
      let outcome = try swiftlet.run("--generate-completion-script", shell)
      #expect(outcome.status == 0)
      #expect(outcome.output.contains("swiftlet"))
    }
  }

  @Test func `a pipe that closes early causes no message`() throws {
    // With pipefail the status is the tool's, not head's.
    let line = "set -o pipefail; swiftlet list --effects | head -n 1; swiftlet --help | true"
    let outcome = try swiftlet.run(program: "/bin/bash", ["-c", line], limit: 30)
    #expect(outcome.messages == "")
    #expect(outcome.output.hasPrefix("effect"))
    #expect(outcome.status == 0)
  }

  @Test func `standard output that cannot be written is an error`() throws {
    let outcome = try swiftlet.shell("swiftlet list --effects > /dev/full")
    #expect(outcome.status == 1)
    #expect(
      outcome.messages == "swiftlet: error: standard output cannot be written: No space left on device\n")
    #expect(try swiftlet.shell("swiftlet list --effects >&-").status == 0)
  }

  @Test func `colours are used only on request or on a terminal`() throws {
    #expect(try !swiftlet.run("list", "--effects").output.contains("\u{1B}"))
    #expect(try swiftlet.run("list", "--effects", "--color", "always").output.contains("\u{1B}[32meffect"))
    #expect(try swiftlet.run("nonsense", "--color=always").messages.contains("\u{1B}[31merror:"))
    #expect(try !swiftlet.run("nonsense").messages.contains("\u{1B}"))
  }

  @Test func `numbers are formatted the same in every locale`() throws {
    var german = Command()
    german.environment = ["LC_ALL": "de_DE.UTF-8", "LC_NUMERIC": "de_DE.UTF-8"]
    #expect(try german.run("show", "delay").output == swiftlet.run("show", "delay").output)
  }
}
