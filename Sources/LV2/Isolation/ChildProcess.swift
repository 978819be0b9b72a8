// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import CSwiftletSystem
internal import Glibc
internal import SwiftletProcesses
internal import Synchronization

/// A process that hosts isolated plugins, as the host sees it. It ends with this object.
// @unchecked: the memory of the line is shared as `Isolation.h` says.
final class ChildProcess: @unchecked Sendable {
  let warden: ChildWarden
  /// The folders that it looks for plugins in, as of ``PluginWorld/path``.
  let path: String?
  /// Where it is told what to host.
  private let door: IsolationSocket
  private let seatCount = Atomic<UInt32>(0)
  /// The line to its one thread for our audio thread, and whether a thread of ours uses it.
  let line: MappedMemory
  let isLineTaken: UnsafeMutablePointer<Int32>

  /// Starts the process.
  ///
  /// - Parameter uri: the plugin that it is started for: what lists of processes show.
  init(for uri: String, path: String?) throws(PluginError) {
    self.path = path
    let program = try PluginHostProgram.path()
    let pairs = [true, false, false].compactMap { IsolationSocket.pair(keepsMessagesApart: $0) }
    let nothing = open("/dev/null", O_RDWR | O_CLOEXEC),
      memory = swiftlet_new_memory(UInt64(IsolatedAreas.page))
    // The end of either side is told by the other end of the socket being closed.
    defer { for file in pairs.map(\.theirs.descriptor) + [nothing, memory] where file >= 0 { close(file) } }
    guard pairs.count == 3, nothing >= 0, memory >= 0,
      let line = MappedMemory(file: memory, size: IsolatedAreas.page, isWritable: true)
    else {
      for pair in pairs { close(pair.own.descriptor) }
      throw .isolation(uri, because: "the system gives no sockets or memory for it")
    }
    self.line = line
    isLineTaken = .allocate(capacity: 1)
    isLineTaken.initialize(to: 0)
    let (door, names, words) = (pairs[0], pairs[1], pairs[2])
    self.door = door.own
    do throws(StartError) {
      let process = try HelperProcess(
        program, [uri] + (path.map { [$0] } ?? []),
        descriptors: [nothing] + [words, words, door, names].map(\.theirs.descriptor) + [memory])
      warden = ChildWarden(process, names: names.own, words: words.own)
    } catch {
      isLineTaken.deallocate()
      for pair in pairs { close(pair.own.descriptor) }
      throw .isolation(
        uri, because: "'\(program)' cannot be started: \(String(cString: strerror(error.number)))")
    }
  }

  deinit {
    _ = warden.end(asksFor: nil)
    close(door.descriptor)
    isLineTaken.deallocate()
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
