// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import CSwiftletJack
internal import Synchronization

extension JackClient {
  /// Leaves a server that has ended or has shut this client down, and stores its ports and their connections.
  /// Returns when the renderer is no longer called, after three seconds at most.
  ///
  /// Ports may be added and removed while there is no server. All other calls that need the server throw
  /// ``JackError/closed(_:)`` until ``rejoin()`` succeeds.
  package func leaveLostServer() {
    returning.withLock { _ in saveLayoutAndLeave() }
  }

  /// Joins the server again, with the same name and the same ports under the same bus numbers. The client is not
  /// active yet.
  ///
  /// The connections that existed when the server ended are made again when the client is activated, or as soon as
  /// the port at the other end exists. These are the connections that the rules ask for and those that users made;
  /// connections that users had removed are not made.
  /// - Throws: the errors of ``init(name:server:log:onEvent:)``, ``JackError/portRefused(_:)``,
  ///   ``JackError/otherRate(server:rate:wanted:)``, and ``JackError/closed(_:)`` after ``close()``. The client is
  ///   then without a server as before, and may try again.
  package func rejoin() throws(JackError) {
    try returning.withLock { _ throws(JackError) in
      saveLayoutAndLeave()
      let (last, layout) = life.withLock { ($0.opened, $0.isClosed ? nil : $0.away) }
      guard let layout else { throw .closed(name) }
      // Only one thread may render at a time: if the old audio thread still hangs in its last cycle, do not rejoin.
      guard last.waitForCycle() else { throw .noAnswer(server) }
      let next = try reopen(counts: last.counts)
      do throws(JackError) {
        let rate = next.edge.pointee.sampleRate
        guard rate == sampleRate else { throw .otherRate(server: server, rate: rate, wanted: sampleRate) }
        try next.restore(layout)
      } catch {
        Self.leave(next)
        throw error
      }
      let isIn = life.withLock { life in
        guard !life.isClosed, life.away?.revision == layout.revision else { return false }
        life.opened = next
        life.away = nil
        return true
      }
      // The client was closed meanwhile, or nodes were added or removed, so the new client has the wrong ports.
      guard isIn else {
        Self.leave(next)
        throw .closed(name)
      }
      next.startControlThread()
    }
  }

  /// Saves the layout of the ports and leaves the server. Does nothing if that is done already.
  private func saveLayoutAndLeave() {
    let last = life.withLock { life -> OpenClient? in
      guard !life.isClosed, life.away == nil else { return nil }
      return life.opened
    }
    guard let last else { return }
    if last.mailbox.isShutDown.load(ordering: .acquiring), !last.wasZombified {
      JoinedServer.recordEnd(of: server)
    }
    let layout = try? last.edit { edits in
      edits.layout.manager.noteLost()
      return edits.layout
    }
    life.withLock { $0.away = layout ?? PortLayout(client: name) }
    Self.leave(last)
  }

  /// Adds a node's ports. If there is no server, they are registered when the client rejoins one.
  func add(_ request: PortRequest) throws(JackError) -> Int {
    let number = try life.withLock { life throws(JackError) -> Int? in
      guard !life.isClosed, let number = try life.away?.number(for: request) else { return nil }
      life.away?.add(request, as: number)
      return number
    }
    if let number { return number }
    do throws(JackError) {
      return try opened.addNode(request)
    } catch {
      // The client left the server in the meantime.
      guard case .closed = error, life.withLock({ !$0.isClosed && $0.away != nil }) else { throw error }
      return try add(request)
    }
  }

  /// Removes a node's ports that wait for a server. Returns false if the ports are on a server.
  func forget(_ node: String) -> Bool {
    life.withLock { life in
      guard !life.isClosed, life.away != nil else { return false }
      life.away?.remove(node)
      return true
    }
  }
}
