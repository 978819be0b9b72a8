// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import CSwiftletRealtime
internal import CSwiftletSystem
internal import Glibc
internal import SwiftletProcesses
internal import Synchronization

/// The process in which the instances of one plugin body run, as the host sees it.
///
/// Control threads ask it for all that is not `run`; ``ChildWarden`` watches it, and answers what it asks.
// @unchecked: the socket is used under `lock`; the memory is shared as `Isolation.h` says.
final class PluginChild: @unchecked Sendable {
  /// How long a function of the plugin may take; then its process is ended.
  private static func patience(_ kind: IsolationMessage.Kind) -> Duration {
    .seconds([.deactivate, .cleanUp].contains(kind) ? 2 : 10)
  }

  let areas: IsolatedAreas
  let hostMemory: MappedMemory, childMemory: MappedMemory
  /// A ``swiftlet_isolated_state``, which audio thread and warden share.
  let state: UnsafeMutablePointer<Int32>
  let warden: ChildWarden
  /// For each instance whether it has an interface for its state.
  private(set) var hasState: [Bool] = []
  private let socket: IsolationSocket
  private let lock = ControlLock()
  private let uri: String

  /// Starts the process and has it make the instances.
  ///
  /// - Throws: ``PluginError``: without its program, or what keeps the plugin from being made.
  init(
    _ model: PluginModel, _ layout: PluginLayout, _ promise: BlockPromise, instanceCount: Int,
    sequenceSize: Int, path: String?, files: PluginFiles, log: PluginLog, tally: PluginTally
  ) throws(PluginError) {
    uri = model.uri
    let program = try PluginHostProgram.path()
    areas = IsolatedAreas(
      model, instanceCount: instanceCount, longest: promise.longest, sequenceSize: sequenceSize)
    let memory = swiftlet_new_memory(UInt64(areas.hostSize))
    let theirMemory = swiftlet_new_memory(UInt64(areas.childSize))
    defer { for file in [memory, theirMemory] where file >= 0 { close(file) } }
    guard memory >= 0, theirMemory >= 0,
      let hostMemory = MappedMemory(file: memory, size: areas.hostSize, isWritable: true),
      let childMemory = MappedMemory(file: theirMemory, size: areas.childSize, isWritable: false),
      swiftlet_seal_memory(memory) == 0, let control = IsolationSocket.pair(),
      let names = IsolationSocket.pair(), let words = IsolationSocket.pair()
    else { throw .isolation(model.uri, because: "the system gives no memory or sockets for it") }
    (self.hostMemory, self.childMemory) = (hostMemory, childMemory)
    socket = control.own
    let process: HelperProcess
    do throws(StartError) {
      process = try Self.start(
        program, HostedPlugin.arguments(model.uri, layout, instanceCount: instanceCount, path: path),
        [words.theirs, words.theirs, control.theirs, names.theirs].map(\.descriptor) + [memory, theirMemory])
    } catch {
      for socket in [control.own, names.own, words.own] { close(socket.descriptor) }
      throw .isolation(
        model.uri, because: "'\(program)' cannot be started: \(String(cString: strerror(error.number)))")
    }
    state = .allocate(capacity: 1)
    state.initialize(to: Int32(SWIFTLET_ISOLATED_PLAYS.rawValue))
    warden = ChildWarden(
      process, names: names.own, words: words.own, files: files, log: log, tally: tally, state: state)
    guard let first = socket.receive(within: Self.patience(.ready)), first.kind == .ready else {
      let reason = warden.end(asksFor: "its instances were not made")
      throw .noInstance(model.uri, messages: reason)
    }
    hasState = first.bytes.map { $0 != 0 }
  }

  /// Starts the program, with nothing to read, and closes the descriptors that it alone is to have.
  private static func start(
    _ program: String, _ arguments: [String], _ descriptors: [Int32]
  ) throws(StartError) -> HelperProcess {
    let nothing = open("/dev/null", O_RDWR | O_CLOEXEC)
    defer {
      // The ends of sockets: the child's end is told by their being closed.
      for descriptor in Set(descriptors.prefix(4)) { close(descriptor) }
      close(nothing)
    }
    return try HelperProcess(program, arguments, descriptors: [nothing] + descriptors)
  }

  deinit {
    _ = warden.end(asksFor: nil)
    close(socket.descriptor)
    state.deallocate()
  }

  /// What the audio thread writes to when it finds that the child has failed.
  var alarm: Int32 { warden.alarm }

  /// Has the child do something, and answers what it asks meanwhile. Control thread.
  ///
  /// - Returns: its last message; nil if the child has failed, or does so now.
  @discardableResult func ask(
    _ message: IsolationMessage,
    answer: (IsolationMessage) -> IsolationMessage = { _ in .init(kind: .nothing) }
  ) -> IsolationMessage? {
    lock.locked {
      guard !warden.hasFailed else { return nil }
      guard socket.send(message) else {
        warden.noteFailure(in: message.kind)
        return nil
      }
      while let reply = socket.receive(within: Self.patience(message.kind)) {
        if reply.kind == .done { return reply }
        guard socket.send(answer(reply)) else { break }
      }
      warden.noteFailure(in: message.kind)
      return nil
    }
  }
}

/// The program that hosts isolated plugins.
package enum PluginHostProgram {
  /// The environment variable that says where it is.
  package static let variable = "SWIFTLET_PLUGIN_HOST"

  /// Where it is: the file that the variable names, or the one beside this program.
  static func path() throws(PluginError) -> String {
    do throws(MissingProgram) { return try HelperProcess.path(of: "swiftlet-plugin-host", variable) } catch {
      throw .noPluginHost(error.path)
    }
  }
}
