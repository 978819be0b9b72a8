// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

public import SwiftletFiles

extension PluginNode {
  /// Saves the plugin's whole state in a folder: its parameters, what else it keeps, and the files that it uses.
  ///
  /// Other LV2 hosts can read the folder, which may be moved with its files. A state that is there is replaced, and
  /// stays as it is if the function throws. The plugin plays on. The function returns when everything is written, which
  /// takes as long as copying the files. Any thread but the audio thread.
  ///
  /// - Throws: ``EngineError/plugin(_:)`` with ``PluginError/state(_:plugin:because:)`` for a folder that cannot be
  ///   written, ``EngineError/notAttached(_:)``.
  public func saveState(to folder: some FileLocation) throws(EngineError) {
    try engine.saveState(to: folder.enginePath, title: nil, of: self)
  }

  /// Restores the plugin's state from a folder that ``saveState(to:)`` or another LV2 host has saved.
  ///
  /// While the engine runs, the sound fades from the old state to the new one, and the latency of other paths follows.
  /// The function returns when the plugin has the new state. Any thread but the audio thread.
  ///
  /// - Throws: ``EngineError/plugin(_:)`` with ``PluginError/state(_:plugin:because:)`` for a folder that cannot be read
  ///   or that is the state of another plugin, ``EngineError/notAttached(_:)``. The plugin then keeps its state.
  public func loadState(from folder: some FileLocation) throws(EngineError) {
    try engine.loadState(from: folder.enginePath, on: self)
  }
}
