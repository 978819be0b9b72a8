// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import Synchronization

extension AudioEngine {
  /// Makes several edits as one: the sound changes once, with all of them or none, and ``undo()`` undoes them as one.
  ///
  /// ```swift
  /// try engine.edit { edit in
  ///   let gate = try edit.attach(.effect("gate"))
  ///   try edit.insert(gate, between: voice, and: echo)
  /// }
  /// ```
  ///
  /// The closure edits a copy of the graph and holds no lock; the edit is committed when it returns. Edits that other
  /// threads commit meanwhile are kept, if they touch other nodes and wires; otherwise this edit conflicts, and can
  /// be run again. Functions of the engine that are called inside the closure are edits of their own.
  ///
  /// - Throws: ``EngineError/conflict(_:)``; the closure's error, as ``EngineError/closure(_:)`` unless it is an
  ///   ``EngineError``; ``EngineError/graph(_:)`` if the edited graph cannot be played, ``EngineError/jack(_:)`` if
  ///   the server refuses ports. If it throws, nothing has changed.
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

  /// Makes several edits as one, with an asynchronous closure: see the other `edit(_:)`.
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

  /// Undoes the last edit, whichever task made it, with a crossfade like any edit.
  ///
  /// Each call that attaches, detaches, connects, disconnects, bypasses or automates is an edit, and each `edit(_:)`
  /// as a whole. Parameter values, the levels of wires and mixers that are set outside `edit(_:)`, taps and meters
  /// are not edits. The last 100 edits can be undone.
  ///
  /// A node that comes back is the same node, with its parameters, wires, lanes and meters, and with the sound that
  /// was left in it. Its JACK ports come back under their names, connected by their rules. A tap comes back unless
  /// its sequence has ended. A player comes back with nothing scheduled.
  ///
  /// - Returns: false if there is no edit to undo.
  /// - Throws: ``EngineError/jack(_:)`` if the server refuses ports, ``EngineError/graph(_:)``. If it throws, nothing
  ///   has changed.
  @discardableResult public func undo() throws(EngineError) -> Bool { try applyHistory(.undo) }

  /// Makes the edit again that ``undo()`` undid last, unless another edit was made since.
  ///
  /// - Returns: false if there is no edit to redo.
  /// - Throws: as ``undo()``.
  @discardableResult public func redo() throws(EngineError) -> Bool { try applyHistory(.redo) }

  /// Whether there is an edit that ``undo()`` can undo.
  public var canUndo: Bool { core.withLock { !$0.history.past.isEmpty } }

  /// Whether there is an edit that ``redo()`` can redo.
  public var canRedo: Bool { core.withLock { !$0.history.future.isEmpty } }

  /// Undoes the last edit, or makes it again. Calls `then` before any other edit is committed.
  func applyHistory(
    _ kind: EditHistory.Kind, then: @Sendable () -> Void = {}
  ) throws(EngineError) -> Bool {
    let isDone = try core.withLock { core throws(EngineError) in
      let isDone = try core.applyHistory(kind)
      if isDone { then() }
      return isDone
    }
    fitNewPlugins()
    return isDone
  }
}
