// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import CSwiftletJack
internal import Synchronization

extension JackClient {
  /// Lets go of a server that has gone, or that threw us out, and keeps in mind which ports there were and what
  /// they were connected to. Returns when the renderer is not called any more, after three seconds at most.
  ///
  /// Ports may be added and removed meanwhile; all else that asks the server throws
  /// ``JackError/closed(_:)`` until ``rejoin()`` has worked.
  package func depart() {
    returning.withLock { _ in letGo() }
  }

  /// Joins the server again: the same name, the same ports under the same bus numbers, not active yet.
  ///
  /// What was connected when the server went is connected again when the client is activated, or as soon as the
  /// port at the other end is there: what the rules ask for, what users put in by hand, and nothing that they
  /// had pulled.
  /// - Throws: as ``init(name:server:log:onEvent:)``, and ``JackError/portRefused(_:)``,
  ///   ``JackError/otherRate(server:rate:wanted:)``, ``JackError/closed(_:)`` after ``close()``. The client is
  ///   then away as before, and may try again.
  package func rejoin() throws(JackError) {
    try returning.withLock { _ throws(JackError) in
      letGo()
      let (last, layout) = life.withLock { ($0.opened, $0.isClosed ? nil : $0.away) }
      guard let layout else { throw .closed(name) }
      // One thread at a time renders: an audio thread that still hangs in its last cycle keeps us out.
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
      // Closed meanwhile, or ports came or went: then they are not right.
      guard isIn else {
        Self.leave(next)
        throw .closed(name)
      }
      next.startControlThread()
    }
  }

  /// Takes down the ports and leaves, once.
  private func letGo() {
    let last = life.withLock { life -> OpenClient? in
      guard !life.isClosed, life.away == nil else { return nil }
      return life.opened
    }
    guard let last else { return }
    if last.mailbox.isShutDown.load(ordering: .acquiring), !last.wasThrownOut {
      OneServer.noteDeath(of: server)
    }
    let layout = try? last.edit { edits in
      edits.layout.keeper.noteLost()
      return edits.layout
    }
    life.withLock { $0.away = layout ?? PortLayout(client: name) }
    Self.leave(last)
  }

  /// Adds a node's ports, also where they cannot be registered yet.
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
      // It let go of the server in between.
      guard case .closed = error, life.withLock({ !$0.isClosed && $0.away != nil }) else { throw error }
      return try add(request)
    }
  }

  /// Forgets a node's ports where they wait for a server; false where they are on one.
  func forget(_ node: String) -> Bool {
    life.withLock { life in
      guard !life.isClosed, life.away != nil else { return false }
      life.away?.remove(node)
      return true
    }
  }
}
