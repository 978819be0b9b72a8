// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import Synchronization

extension AudioEngine {
  /// Makes several edits as one: what is heard changes once, all of it or nothing, and ``undo()`` takes it back as one.
  ///
  /// ```swift
  /// try engine.edit { edit in
  ///   let gate = try edit.attach(.effect("gate"))
  ///   try edit.insert(gate, between: voice, and: echo)
  /// }
  /// ```
  ///
  /// The closure edits a copy of the graph and holds no lock; the edit is committed when it returns. Edits that other
  /// threads commit meanwhile stay, if they touch other nodes and wires; otherwise this edit conflicts, and can be run
  /// again. Functions of the engine that are called inside the closure are edits of their own.
  ///
  /// - Throws: ``EngineError/conflict(_:)``; the closure's error, as ``EngineError/closure(_:)`` unless it is an
  ///   ``EngineError``; ``EngineError/graph(_:)`` if the edits together cannot be played, ``EngineError/jack(_:)`` if ports
  ///   are refused. Then nothing has changed.
  public func edit<Result>(_ body: (inout GraphEdit) throws -> Result) throws(EngineError) -> Result {
    var edit = GraphEdit(self)
    let result: Result
    do { result = try body(&edit) } catch {
      edit.discard()
      throw (error as? EngineError) ?? .closure(error)
    }
    try edit.commit()
    return result
  }

  /// Makes several edits as one, with a closure that may wait: see the other `edit(_:)`.
  ///
  /// - Throws: as the other `edit(_:)`.
  public nonisolated(nonsending) func edit<Result>(
    _ body: nonisolated(nonsending) (inout GraphEdit) async throws -> Result
  ) async throws(EngineError) -> Result {
    var edit = GraphEdit(self)
    let result: Result
    do { result = try await body(&edit) } catch {
      edit.discard()
      throw (error as? EngineError) ?? .closure(error)
    }
    try edit.commit()
    return result
  }

  /// Takes the last edit back, whichever task made it, with a crossfade as any edit.
  ///
  /// Each call that attaches, detaches, connects, disconnects, bypasses or automates is an edit, and each `edit(_:)` as
  /// a whole. Parameter values and the levels of wires and mixers that are set outside `edit(_:)`, taps and meters are
  /// not edits. Of edits, the last 100 can be undone.
  ///
  /// A node that comes back is the same node, with its parameters, wires, lanes and meters, and with the sound that was
  /// left in it. Its JACK ports come back under their names, connected by their rules. A tap comes back unless its sequence
  /// has ended. A player comes back with nothing scheduled.
  ///
  /// - Returns: false if there is no edit to take back.
  /// - Throws: ``EngineError/jack(_:)`` if ports are refused, ``EngineError/graph(_:)``; then nothing has changed.
  @discardableResult public func undo() throws(EngineError) -> Bool { try turnBack(.undo) }

  /// Makes the edit again that ``undo()`` took back last, unless another edit was made since.
  ///
  /// - Returns: false if there is no edit to make again.
  /// - Throws: as ``undo()``.
  @discardableResult public func redo() throws(EngineError) -> Bool { try turnBack(.redo) }

  /// Whether there is an edit that ``undo()`` takes back.
  public var canUndo: Bool { core.withLock { !$0.history.past.isEmpty } }

  /// Whether there is an edit that ``redo()`` makes again.
  public var canRedo: Bool { core.withLock { !$0.history.future.isEmpty } }

  /// Undoes the last edit, or makes it again; `then` is called before any other edit is committed.
  func turnBack(
    _ kind: EditHistory.Kind, then: @Sendable () -> Void = {}
  ) throws(EngineError) -> Bool {
    let isDone = try core.withLock { core throws(EngineError) in
      let isDone = try core.turnBack(kind)
      if isDone { then() }
      return isDone
    }
    fitNewPlugins()
    return isDone
  }
}
