// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import ArgumentParser
internal import SwiftletControl

/// The session that a command controls, and the command's common options.
struct SessionOptions: ParsableArguments {
  @Option(
    name: .customLong("session"),
    help: ArgumentHelp(
      "The session, by its name or process. Required if several sessions are running.", valueName: "name"),
    completion: .custom { _, _, _ in SessionCompletion.sessions() })
  var name: String?

  @OptionGroup var common: CommonOptions

  /// Connects to the session.
  ///
  /// - Throws: A ``Failure``.
  func connect() throws(Failure) -> ControlConnection {
    do throws(ControlError) { return try ControlConnection(RunningSession.find(name).path) } catch {
      throw Failure(error)
    }
  }

  /// Sends a command, and returns the answer.
  ///
  /// - Throws: A ``Failure``.
  @discardableResult
  func perform(_ command: ControlCommand) throws(Failure) -> ControlReply {
    try connect().answer(to: command)
  }
}

extension ControlConnection {
  /// Sends a command, and returns the answer.
  func answer(to command: ControlCommand) throws(Failure) -> ControlReply {
    do throws(ControlError) { return try perform(command) } catch { throw Failure(error) }
  }
}

extension Failure {
  /// Converts an error of a session or of the connection to it.
  init(_ error: ControlError) {
    switch error.kind {
    case .unknownAddress, .badValue, .readOnly, .malformed, .tooLong, .unknownSession:
      self.init(.badCommandLine, error.text)
    case .notPossible, .failed: self.init(.badInput, error.text)
    case .unclearSession: self.init(.badCommandLine, "\(error.text) with --session")
    case .noSession: self.init(.failedHost, "\(error.text) with 'swiftlet run'")
    case .tooManyClients, .noAnswer: self.init(.failedHost, error.text)
    }
  }
}

/// Completes addresses and their values for a shell. Without an answer there is nothing to complete.
enum SessionCompletion {
  /// Returns the names of all sessions.
  static func sessions() -> [String] { offered(RunningSession.all().compactMap { $0.status?.name }) }

  /// Returns the addresses of a session that can be set, or all of them.
  static func addresses(_ words: [String], onlyWritable: Bool) -> [String] {
    offered(addresses(words).filter { !onlyWritable || $0.access == .readWrite }.map(\.address))
  }

  /// Returns the words that are safe to offer. bash expands a list of words as it expands a command line, so a name or
  /// choice with a character that a shell might expand is not offered.
  private static func offered(_ words: [String]) -> [String] {
    words.filter { word in
      word.unicodeScalars.allSatisfy { $0.properties.isAlphabetic || safe.contains($0) }
    }
  }

  /// The characters without a meaning for shells, beside letters.
  private static let safe = Set("0123456789 ._-+:,/[]%>@".unicodeScalars)

  /// Returns the values of the last address among the words: its choices, or true and false.
  static func values(_ words: [String]) -> [String] {
    guard let address = addresses(words).last(where: { words.contains($0.address) }) else { return [] }
    return offered(address.choices ?? (address.kind == .toggle ? ["true", "false"] : []))
  }

  /// Returns the names of the nodes that can be bypassed.
  static func nodes(_ words: [String]) -> [String] {
    addresses(words).map(\.address).filter { $0.hasSuffix(".bypass") }.map {
      String($0.dropLast(".bypass".count))
    }
  }

  /// Returns the names of the taps that record.
  static func taps(_ words: [String]) -> [String] {
    addresses(words).compactMap { address in
      address.address.wholeMatch(of: #/taps\.(.*)\.record/#).map { String($0.1) }
    }
  }

  private static func addresses(_ words: [String]) -> [ControlAddress] {
    let session = words.firstIndex(of: "--session").flatMap { index in
      index + 1 < words.count ? words[index + 1] : nil
    }
    guard let found = try? RunningSession.find(session),
      let connection = try? ControlConnection(found.path, timeout: .seconds(1))
    else { return [] }
    return (try? connection.perform(.list(nil)).addresses) ?? []
  }
}

/// Negative numbers on the command line, such as the value in `swiftlet set voice.gain -3dB`.
enum NegativeNumbers {
  /// Puts a space before each negative number in a command that sets a value, so that the argument parser does not take
  /// it for an option.
  static func protected(_ arguments: [String]) -> [String] {
    guard arguments.first == "set" else { return arguments }
    return arguments.map { word in
      let rest = word.dropFirst()
      return word.hasPrefix("-") && rest.first.map { $0.isNumber || $0 == "." } == true ? " " + word : word
    }
  }
}
