// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import Swiftlet
internal import SwiftletControl
internal import SwiftletFiles
internal import SwiftletGraph
internal import SwiftletTimeline

extension SessionControl {
  /// Whether the timeline moves. A timeline without a transport moves with the engine.
  static func isRolling(_ engine: AudioEngine) -> Bool {
    engine.transportRole == .own ? engine.isRunning : engine.transport.isRolling
  }

  /// Returns the values of the timeline.
  static func timeline(of session: Session) -> [ControlEntry] {
    let engine = session.engine
    return [
      ControlEntry(
        ControlAddress(
          ControlTree.position, .time, unit: "s", minimum: 0, isMeter: true,
          meaning: "The position on the timeline"),
        read: {
          // Milliseconds: more would be out of date when they are read.
          let seconds = (engine.timelineTime.seconds * 1000).rounded() / 1000
          return (.number(seconds), Quantity(seconds, .seconds).description)
        },
        write: { value, _ throws(ControlError) in
          try requireTransport(engine)
          let time = try position(value, in: session)
          try engineCall(ControlTree.position) { () throws(EngineError) in
            try engine.locateTransport(to: time)
          }
        }),
      ControlEntry(
        ControlAddress(ControlTree.rolling, .toggle, meaning: "Whether the transport of the timeline rolls"),
        read: {
          let isRolling = isRolling(engine)
          return (.toggle(isRolling), isRolling ? "true" : "false")
        },
        write: { value, _ throws(ControlError) in
          try requireTransport(engine)
          let isOn = try toggle(value, ControlTree.rolling)
          try engineCall(ControlTree.rolling) { () throws(EngineError) in
            if isOn { try engine.startTransport() } else { try engine.stopTransport() }
          }
        }),
    ]
  }

  /// Returns the values of a tap that records.
  static func entries(ofTap tap: String, in session: Session) -> [ControlEntry] {
    let recorder = session.recorder
    return [
      ControlEntry(
        ControlAddress(
          ControlTree.recording(of: tap), .toggle, meaning: "Whether a take of the tap is recorded"),
        read: {
          let isOn = recorder.isRecording(tap)
          return (.toggle(isOn), isOn ? "true" : "false")
        },
        write: { value, _ throws(ControlError) in
          guard try toggle(value, ControlTree.recording(of: tap)) else { return recorder.stop([tap]) }
          try engineCall(tap) { () throws(EngineError) in _ = try recorder.start([tap]) }
        }),
      ControlEntry(
        ControlAddress(ControlTree.file(of: tap), .text, meaning: "The file of the running take"),
        read: {
          let path = recorder.status.first { $0.tap == tap }?.path
          return (path.map(ControlValue.text), path ?? "")
        }),
    ]
  }

  /// - Throws: ``ControlError`` of the kind `notPossible` for a timeline without a transport.
  private static func requireTransport(_ engine: AudioEngine) throws(ControlError) {
    guard engine.transportRole == .own else { return }
    throw ControlError(
      .notPossible,
      "the timeline has no transport, since it started with the first sound; write 'start: paused' or 'loop' under "
        + "'timeline' in the manifest")
  }

  private static func position(_ value: ControlValue, in session: Session) throws(ControlError) -> MediaTime {
    let time: MediaTime
    do throws(TimeError) {
      switch value {
      case .number(let seconds): time = try MediaTime(seconds: seconds)
      case .text(let text):
        time = try MediaTime(text, sampleRate: session.engine.sampleRate, tempo: session.manifest.tempo)
      case .toggle(let isOn): throw .unreadable("\(isOn)")
      }
    } catch {
      throw ControlError(.badValue, "'\(ControlTree.position)': \(error)")
    }
    guard time >= .zero else {
      throw ControlError(
        .badValue, "'\(ControlTree.position)': \(time) is before the start; expected 0 s or later")
    }
    return time
  }

  private static func toggle(_ value: ControlValue, _ name: String) throws(ControlError) -> Bool {
    switch value {
    case .toggle(let isOn): return isOn
    case .text("true"), .text("on"): return true
    case .text("false"), .text("off"): return false
    case .text(let text): throw ControlError(.badValue, "'\(name)': found '\(text)'; expected true or false")
    case .number(let number):
      throw ControlError(.badValue, "'\(name)': found \(number); expected true or false")
    }
  }
}
