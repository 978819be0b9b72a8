// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import ArgumentParser
internal import SwiftletFiles
internal import SwiftletTimeline
internal import SwiftletManifest

/// `swiftlet recover`: finishes the takes that a crash left unfinished.
struct RecoverCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "recover", abstract: "Finish the takes that a crash or a power cut left unfinished.",
    discussion: """
      Takes that a running program records are not changed. Nothing is overwritten, and sound that cannot be finished \
      stays where it is.
      """)

  @Argument(help: "The folder that the takes are in.", completion: .directory)
  var folder: String

  @Flag(help: "Print JSON.")
  var json = false

  @OptionGroup var common: CommonOptions

  func run() throws {
    let console = common.console
    let takes = try TakeRecovery.recover(directory: folder)
    for take in takes {
      guard let failure = take.failure else { continue }
      console.error(failure.hasPrefix("'") ? failure : "'\(take.path)' \(failure)")
    }
    if takes.isEmpty { console.note("'\(folder)' has no unfinished takes") }
    var failure: Failure?
    if takes.contains(where: { $0.lostFrames > 0 }) { failure = .silent(.incomplete) }
    if takes.contains(where: { $0.failure != nil }) { failure = .silent(.badInput) }
    try Results().print(before: failure) { results in
      if json {
        return try results.json(JSONValue.object([JSONValue.format, ("takes", .list(takes.map(Self.json)))]))
      }
      var table = Table()
      for take in takes where take.failure == nil {
        let empty = take.frameCount == 0
        table.add(
          take.path, empty ? "no sound was recorded" : Digits.clock(take.duration.seconds),
          take.lostFrames > 0 ? "\(Digits.count(take.lostFrames, "frame")) lost" : "")
      }
      for line in table.lines { try results.line(line) }
    }
  }

  private static func json(_ take: TakeRecovery.Result) -> JSONValue {
    .object([
      ("path", .string(take.path)), ("frames", take.frameCount.map(JSONValue.integer) ?? .null),
      ("seconds", .number(take.duration.seconds)), ("lostFrames", .integer(take.lostFrames)),
      ("failure", .optional(take.failure)),
    ])
  }
}
