// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import CSwiftletSystem
internal import Glibc
internal import SwiftletProcesses
internal import Synchronization

/// A process that hosts isolated plugins, as the host sees it. It ends with this object.
final class ChildProcess: Sendable {
  let warden: ChildWarden
  /// The folders that it looks for plugins in, as of ``PluginWorld/path``.
  let path: String?
  /// Where it is told what to host.
  private let door: IsolationSocket
  private let seatCount = Atomic<UInt32>(0)

  /// Starts the process.
  ///
  /// - Parameter uri: the plugin that it is started for: what lists of processes show.
  init(for uri: String, path: String?) throws(PluginError) {
    self.path = path
    let program = try PluginHostProgram.path()
    let pairs = [true, false, false].compactMap { IsolationSocket.pair(keepsMessagesApart: $0) }
    let nothing = open("/dev/null", O_RDWR | O_CLOEXEC)
    // The end of either side is told by the other end of the socket being closed.
    defer { for file in pairs.map(\.theirs.descriptor) + [nothing] where file >= 0 { close(file) } }
    guard pairs.count == 3, nothing >= 0 else {
      for pair in pairs { close(pair.own.descriptor) }
      throw .isolation(uri, because: "the system gives no sockets for it")
    }
    let (door, names, words) = (pairs[0], pairs[1], pairs[2])
    self.door = door.own
    do throws(StartError) {
      let process = try HelperProcess(
        program, [uri] + (path.map { [$0] } ?? []),
        descriptors: [nothing] + [words, words, door, names].map(\.theirs.descriptor))
      warden = ChildWarden(process, names: names.own, words: words.own)
    } catch {
      for pair in pairs { close(pair.own.descriptor) }
      throw .isolation(
        uri, because: "'\(program)' cannot be started: \(String(cString: strerror(error.number)))")
    }
  }

  deinit {
    _ = warden.end(asksFor: nil)
    close(door.descriptor)
  }

  /// A number for one more plugin.
  func nextSeat() -> UInt32 { seatCount.add(1, ordering: .relaxed).newValue }

  /// Has the process host a plugin.
  ///
  /// - Parameters:
  ///   - arguments: what ``HostedPlugin`` is made with.
  ///   - descriptors: its socket, and its two areas of memory.
  /// - Returns: false if the process has gone.
  func host(_ arguments: [String], descriptors: [Int32]) -> Bool {
    let text = arguments.joined(separator: "\0")
    return swiftlet_send_descriptors(
      door.descriptor, text, text.utf8.count, descriptors, Int32(descriptors.count)) == 0
  }
}
