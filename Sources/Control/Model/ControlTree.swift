// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import SwiftletGraph
internal import Synchronization

/// A session, as its front ends control it. Any thread may call it.
package protocol ControlledSession: Sendable {
  /// All values, in the order in which front ends list them. An earlier entry takes precedence over a later one with
  /// the same address.
  var entries: [ControlEntry] { get }
  var status: ControlStatus { get }
  /// The names of the taps that can be recorded.
  var taps: [String] { get }
  /// Starts takes at one instant. Takes that run already continue.
  func startTakes(of taps: Set<String>) throws(ControlError)
  /// Ends takes at one instant. Returns at once.
  func endTakes(of taps: Set<String>)
  /// Undoes the last edit. Returns false if there is none.
  func undo() throws(ControlError) -> Bool
  /// Makes the edit again that was undone last. Returns false if there is none.
  func redo() throws(ControlError) -> Bool
}

/// The model that all front ends of a session share: its values by address, and its commands.
///
/// Commands are carried out one after the other, in one order for all front ends, on the thread that calls. No thread
/// of the engine waits for them.
package final class ControlTree: Sendable {
  /// The duration of a glide in seconds.
  package static let glides = 0.0...3600.0

  /// All values.
  let entries: [ControlEntry]
  /// The events of the session, for subscribers.
  package let events = ControlEventLog()
  private let session: any ControlledSession
  /// The index of the entry of each address and alias.
  private let indices: [String: Int]
  /// Whether the session is ending. The lock is held while a command is carried out, which gives commands their order.
  private let isEnding = Mutex(false)

  /// Creates the model of a session.
  package init(_ session: any ControlledSession) {
    self.session = session
    var entries: [ControlEntry] = [], indices: [String: Int] = [:]
    for entry in session.entries where indices[entry.address.address] == nil {
      indices[entry.address.address] = entries.count
      entries.append(entry)
    }
    // A main spelling takes precedence over an alias of another entry.
    for (index, entry) in entries.enumerated() {
      for alias in entry.aliases where indices[alias] == nil { indices[alias] = index }
    }
    (self.entries, self.indices) = (entries, indices)
  }

  /// Carries out a command, after those that other threads have begun. Control thread; starting a take may wait up to
  /// two seconds for the end of an earlier one.
  ///
  /// A subscription is only checked, since it belongs to the front end.
  package func perform(_ command: ControlCommand) throws(ControlError) -> ControlReply {
    try isEnding.withLock { isEnding throws(ControlError) in
      guard !isEnding else { throw ControlError(.notPossible, "the session is ending; start it again") }
      return try carryOut(command)
    }
  }

  /// Refuses all further commands, so that none starts a take that nothing would finish. Waits for the end of a command
  /// that has begun.
  package func end() { isEnding.withLock { $0 = true } }

  private func carryOut(_ command: ControlCommand) throws(ControlError) -> ControlReply {
    var reply = ControlReply()
    switch command {
    case .status: reply.status = session.status
    case .list(let group):
      reply.addresses = try chosen(group.map { [$0] } ?? []).map { index in
        let (value, text) = entries[index].read()
        var address = entries[index].address
        (address.value, address.text) = (value, text)
        return address
      }
    case .get(let addresses): reply.values = try chosen(addresses).map { entries[$0].reading }
    case .set(let address, let value, let duration):
      reply.values = [try set(try entry(address), value, over: duration)]
    case .bypass(let node, let isOn): reply.values = [try bypass(node, isOn)]
    case .startTake(let tap):
      let taps = try taps(tap)
      guard !taps.isEmpty else {
        throw ControlError(.notPossible, "nothing can be recorded: no tap has a file to record into")
      }
      try session.startTakes(of: taps)
      reply.values = files(of: taps)
    case .endTake(let tap):
      let taps = try taps(tap), files = files(of: taps)
      session.endTakes(of: taps)
      reply.values = files
    case .transport(.play): reply.values = [try set(try entry(Self.rolling), .toggle(true))]
    case .transport(.stop): reply.values = [try set(try entry(Self.rolling), .toggle(false))]
    case .transport(.seek(let position)): reply.values = [try set(try entry(Self.position), position)]
    case .undo:
      guard try session.undo() else { throw ControlError(.notPossible, "there is no edit to undo") }
    case .redo:
      guard try session.redo() else { throw ControlError(.notPossible, "there is no edit to make again") }
    case .watch(let subscription): _ = try indices(of: subscription)
    }
    return reply
  }

  /// The addresses of the transport.
  package static let rolling = "timeline.rolling", position = "timeline.position"
  /// Returns the address of a node's bypass, of the recording of a tap, and of the file of its take.
  package static func bypass(of node: String) -> String { "\(node).bypass" }
  package static func recording(of tap: String) -> String { "taps.\(tap).record" }
  package static func file(of tap: String) -> String { "taps.\(tap).file" }

  private func set(
    _ entry: ControlEntry, _ value: ControlValue, over duration: Duration? = nil
  ) throws(ControlError) -> ControlReading {
    guard let write = entry.write else {
      throw ControlError(.readOnly, "'\(entry.address.address)' can only be read")
    }
    if duration != nil, entry.address.kind != .number {
      throw ControlError(
        .badValue, "'\(entry.address.address)' cannot glide, since it is not a number; leave the duration out"
      )
    }
    try write(value, duration)
    return entry.reading
  }

  private func bypass(_ node: String, _ isOn: Bool?) throws(ControlError) -> ControlReading {
    guard let index = indices[Self.bypass(of: node)], entries[index].address.kind == .toggle else {
      let known = entries.map(\.address.address).filter { $0.hasSuffix(".bypass") }.map {
        String($0.dropLast(7))
      }
      throw ControlError(unknown: "there is no effect or plugin '\(node)'", node, among: known)
    }
    let entry = entries[index]
    return try set(entry, .toggle(isOn ?? (entry.read().value != .toggle(true))))
  }

  private func taps(_ tap: String?) throws(ControlError) -> Set<String> {
    guard let tap else { return Set(session.taps) }
    guard session.taps.contains(tap) else {
      throw ControlError(unknown: "there is no tap '\(tap)' that records", tap, among: session.taps)
    }
    return [tap]
  }

  private func files(of taps: Set<String>) -> [ControlReading] {
    session.taps.filter(taps.contains).compactMap { indices[Self.file(of: $0)] }.map { entries[$0].reading }
      .filter { $0.value != nil }
  }
}

extension ControlTree {
  // The look-up of addresses.

  private func entry(_ address: String) throws(ControlError) -> ControlEntry {
    guard let index = indices[Self.plain(address)] else { throw unknown(address) }
    return entries[index]
  }

  /// Returns the indices of the entries with these addresses, in the order of the tree. An address of a group, such as
  /// `echo`, stands for all its entries. Without addresses, all entries are returned.
  private func chosen(_ addresses: [String]) throws(ControlError) -> [Int] {
    guard !addresses.isEmpty else { return Array(entries.indices) }
    var chosen: Set<Int> = []
    for address in addresses {
      let plain = Self.plain(address)
      if let index = indices[plain] { chosen.insert(index) }
      let members = entries.indices.filter { ControlAddress.isInGroup(entries[$0].address.address, plain) }
      chosen.formUnion(members)
      if indices[plain] == nil, members.isEmpty { throw unknown(address) }
    }
    return chosen.sorted()
  }

  /// Returns the indices of the entries whose changes a subscription sends.
  func indices(of subscription: ControlSubscription) throws(ControlError) -> [Int] {
    guard let addresses = subscription.addresses else {
      return entries.indices.filter { entries[$0].address.isMeter != true }
    }
    return addresses.isEmpty ? [] : try chosen(addresses)
  }

  /// Returns the error for an unknown address: of the node's values if the node is known.
  private func unknown(_ address: String) -> ControlError {
    let plain = String(Self.plain(address).prefix(200)), all = entries.map(\.address.address)
    let end = plain.contains("->") ? plain.lastIndex(of: ".") : plain.firstIndex(of: ".")
    guard let end else {
      let nodes = all.compactMap { name in Self.group(of: name) }
      return ControlError(unknown: "there is no address '\(plain)'", plain, among: Self.distinct(nodes))
    }
    let group = String(plain[..<end]), rest = String(plain[plain.index(after: end)...])
    let members = all.filter { $0.hasPrefix(group + ".") }.map { String($0.dropFirst(group.count + 1)) }
    guard members.isEmpty else {
      return ControlError(unknown: "'\(group)' has no value '\(rest)'", rest, among: members)
    }
    return ControlError(unknown: "there is no address '\(plain)'", plain, among: all)
  }

  /// Returns the part of an address before the first dot; of a wire, before the last.
  private static func group(of address: String) -> String? {
    let end = address.contains("->") ? address.lastIndex(of: ".") : address.firstIndex(of: ".")
    return end.map { String(address[..<$0]) }
  }

  private static func distinct(_ names: [String]) -> [String] {
    var known: Set<String> = []
    return names.filter { known.insert($0).inserted }
  }

  /// Returns an address without spaces, as around the arrow of a wire.
  private static func plain(_ address: String) -> String { address.filter { !$0.isWhitespace } }
}
