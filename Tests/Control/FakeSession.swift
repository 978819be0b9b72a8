// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

import Foundation
import SwiftletControl
import Synchronization

/// A session without an engine: a few values in memory, and a count of what was done.
final class FakeSession: ControlledSession {
  struct State {
    var time = 250.0
    var isBypassed = false
    var isRolling = false
    var glide: Duration?
    var recorded: Set<String> = []
    var undone = 0
  }

  let state = Mutex(State())
  let taps = ["wet", "dry"]

  var time: Double { state.withLock { $0.time } }

  var status: ControlStatus {
    ControlStatus(
      name: "fake", process: getpid(), server: "none", state: .running, sampleRate: 48_000, period: 64,
      seconds: 1,
      load: 0.5, xruns: 0, nodes: 1, position: 0, isRolling: state.withLock { $0.isRolling })
  }

  func startTakes(of taps: Set<String>) throws(ControlError) {
    state.withLock { $0.recorded.formUnion(taps) }
  }
  func endTakes(of taps: Set<String>) { state.withLock { $0.recorded.subtract(taps) } }

  func undo() throws(ControlError) -> Bool {
    state.withLock { state in
      state.undone += 1
      return state.undone < 2
    }
  }

  func redo() throws(ControlError) -> Bool { false }

  var entries: [ControlEntry] {
    [
      ControlEntry(
        ControlAddress("echo.time", .number, unit: "ms", minimum: 1, maximum: 1000, meaning: "The delay"),
        read: { [self] in (.number(time), "\(Int(time)) ms") },
        write: { [self] value, duration throws(ControlError) in
          guard case .number(let number) = value, 1...1000 ~= number else {
            throw ControlError(.badValue, "'echo.time': expected 1 to 1000 ms")
          }
          state.withLock { ($0.time, $0.glide) = (number, duration) }
        }),
      toggle("echo.bypass", \.isBypassed),
      ControlEntry(
        ControlAddress("voice->main.gain", .number, meaning: ""), aliases: ["voice.out->main.gain"],
        read: { (.number(-3), "-3 dB") }, write: { _, _ throws(ControlError) in }),
      ControlEntry(
        ControlAddress("echo.level", .number, isMeter: true, meaning: "The level"),
        read: { (.number(-.infinity), "silence") }),
      toggle("timeline.rolling", \.isRolling),
    ]
      + taps.map { tap in
        ControlEntry(
          ControlAddress("taps.\(tap).file", .text, meaning: "The file"),
          read: { [self] in
            let isOn = state.withLock { $0.recorded.contains(tap) }
            return isOn ? (.text("\(tap).wav"), "\(tap).wav") : (nil, "")
          })
      }
  }

  private func toggle(_ name: String, _ path: WritableKeyPath<State, Bool> & Sendable) -> ControlEntry {
    ControlEntry(
      ControlAddress(name, .toggle, meaning: "A switch"),
      read: { [self] in
        let isOn = state.withLock { $0[keyPath: path] }
        return (.toggle(isOn), "\(isOn)")
      },
      write: { [self] value, _ throws(ControlError) in
        guard case .toggle(let isOn) = value else { throw ControlError(.badValue, "expected true or false") }
        state.withLock { $0[keyPath: path] = isOn }
      })
  }
}

/// A folder for sockets, removed at deinitialization. Its path is short, since a socket's path has at most 107 bytes.
final class SocketFolder {
  let path = "/tmp/swiftlet-control-\(UInt32.random(in: 0...UInt32.max))"

  init() throws {
    try FileManager.default.createDirectory(
      atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  /// The names of all files.
  var names: [String] { ((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []).sorted() }
}
