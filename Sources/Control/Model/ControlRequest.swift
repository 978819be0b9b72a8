// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import SwiftletFiles
internal import SwiftletGraph

/// A command as a line of JSON: `{"command":"set","address":"echo.time","value":"350 ms","over":0.5}`.
package struct ControlRequest: Codable, Sendable, Equatable {
  /// The maximum length of a line, in bytes.
  package static let longestLine = 1 << 16
  /// The maximum nesting of a line: an object with an array.
  private static let mostLevels = 2

  /// The names of commands.
  private enum Name: String, CaseIterable {
    case status, list, get, set, bypass
    case startTake = "start-take"
    case endTake = "end-take"
    case play, stop, seek, undo, redo, watch
  }

  /// A number that the reply repeats; optional.
  package var id: Int?
  private var command: String
  private var address: String?
  private var addresses: [String]?
  private var value: ControlValue?
  /// The duration of a glide, in seconds.
  private var over: Double?
  private var node: String?
  private var tap: String?
  private var events: Bool?
  private var rate: Double?

  /// The parts that a line may have.
  private enum CodingKeys: String, CodingKey, CaseIterable {
    case id, command, address, addresses, value, over, node, tap, events, rate
  }

  /// The value of any part.
  private struct AnyPart: Decodable { init(from decoder: any Decoder) {} }

  /// Parses a line.
  ///
  /// - Throws: ``ControlError`` of the kinds `tooLong` and `malformed`; also for an unknown part, because without it the
  ///   command might mean more than was asked for.
  package init(line: some Collection<UInt8>) throws(ControlError) {
    let unknown: String?
    do throws(BoundedJSON.Refusal) {
      let parts = try BoundedJSON.decode(
        [String: AnyPart].self, from: line, byteLimit: Self.longestLine, depthLimit: Self.mostLevels)
      unknown = parts.keys.filter { CodingKeys(rawValue: $0) == nil }.min()
      self = try BoundedJSON.decode(
        ControlRequest.self, from: line, byteLimit: Self.longestLine, depthLimit: Self.mostLevels)
    } catch {
      let refusal: ControlError =
        switch error {
        case .tooLong(let limit):
          ControlError(.tooLong, "the line is too long; at most \(limit) bytes are read")
        case .tooDeep, .malformed:
          ControlError(
            .malformed,
            #"the line is no command; expected an object such as {"command":"get","address":"echo.time"}"#)
        }
      throw refusal
    }
    guard let unknown else { return }
    let known = CodingKeys.allCases.map(\.rawValue), word = String(unknown.prefix(100))
    throw ControlError(
      .malformed, "a command has no part '\(word)'\(NearestName.hint(for: word, among: known))")
  }

  /// Writes a command as a request.
  package init(_ command: ControlCommand, id: Int? = nil) {
    self.id = id
    let name: Name
    switch command {
    case .status: name = .status
    case .list(let group): (name, address) = (.list, group)
    case .get(let group): (name, addresses) = (.get, group)
    case .set(let target, let new, let duration):
      (name, address, value, over) = (.set, target, new, duration.map { $0 / .seconds(1) })
    case .bypass(let target, let isOn): (name, node, value) = (.bypass, target, isOn.map(ControlValue.toggle))
    case .startTake(let target): (name, tap) = (.startTake, target)
    case .endTake(let target): (name, tap) = (.endTake, target)
    case .transport(.play): name = .play
    case .transport(.stop): name = .stop
    case .transport(.seek(let position)): (name, value) = (.seek, position)
    case .undo: name = .undo
    case .redo: name = .redo
    case .watch(let watched):
      (name, addresses, events, rate) = (.watch, watched.addresses, watched.hasEvents, watched.rate)
    }
    self.command = name.rawValue
  }

  /// Returns the command.
  ///
  /// - Throws: ``ControlError`` of the kind `malformed`, for an unknown command or one that lacks a part.
  package func read() throws(ControlError) -> ControlCommand {
    guard let name = Name(rawValue: command) else {
      let hint = NearestName.hint(for: String(command.prefix(100)), among: Name.allCases.map(\.rawValue))
      throw ControlError(.malformed, "there is no command '\(command.prefix(100))'\(hint)")
    }
    switch name {
    case .status: return .status
    case .list: return .list(address)
    case .get: return .get(addresses ?? address.map { [$0] } ?? [])
    case .set: return .set(try part(address, "address"), try part(value, "value"), over: try duration())
    case .bypass: return .bypass(try part(node, "node"), try toggle())
    case .startTake: return .startTake(tap)
    case .endTake: return .endTake(tap)
    case .play: return .transport(.play)
    case .stop: return .transport(.stop)
    case .seek: return .transport(.seek(try part(value, "value")))
    case .undo: return .undo
    case .redo: return .redo
    case .watch:
      return .watch(
        ControlSubscription(
          addresses: addresses ?? address.map { [$0] }, hasEvents: events ?? true, rate: rate ?? 10))
    }
  }

  private func part<Part>(_ part: Part?, _ name: String) throws(ControlError) -> Part {
    guard let part else { throw ControlError(.malformed, "the command '\(command)' needs '\(name)'") }
    return part
  }

  private func duration() throws(ControlError) -> Duration? {
    guard let over else { return nil }
    guard ControlTree.glides ~= over else {
      throw ControlError(.badValue, "'over' cannot be \(over) s; expected 0 to 3600 s")
    }
    return .seconds(over)
  }

  private func toggle() throws(ControlError) -> Bool? {
    switch value {
    case nil: return nil
    case .toggle(let isOn): return isOn
    case .text, .number: throw ControlError(.badValue, "the value of 'bypass' is true or false")
    }
  }
}
