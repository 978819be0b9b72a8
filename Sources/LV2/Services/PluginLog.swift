// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import CSwiftletLilv
internal import CSwiftletRealtime
internal import Glibc
internal import SwiftletGraph
internal import Synchronization

/// A message in a plugin's log.
package struct PluginMessage: Sendable, Equatable {
  /// The severity of a message.
  package enum Level: Sendable, Equatable {
    /// A failure.
    case error
    /// A possible failure.
    case warning
    /// Useful information.
    case note
    /// Debugging output for plugin developers.
    case trace
  }
  /// The severity; `note` if the plugin uses an unknown message type.
  package let level: Level
  /// The text, truncated to 240 bytes.
  package let text: String
}

/// The maximum number of waiting messages, and the number of bytes kept of each.
private var capacity: Int { @_noLocks @_noAllocation get { 128 } }
private var textSize: Int { @_noLocks @_noAllocation get { 240 } }

/// The log of one plugin. Several threads, including the audio thread, may write at once. No thread blocks; a message
/// that finds the log full is counted as lost.
///
/// A ring whose slots have sequence numbers (`sequence`). A writer claims a slot by advancing `next`, fills it, and
/// publishes it by incrementing the slot's number. The reader releases it by setting the number of the slot's next use.
// @unchecked: slots are transferred by their `sequence`; the reader's state is accessed under `lock`.
final class PluginLog: @unchecked Sendable {
  private struct Slot: ~Copyable {
    let sequence: Atomic<Int>
    var type: UInt32 = 0
    var length = 0
    let text: UnsafeMutablePointer<CChar>
    init(sequence: Int) {
      self.sequence = Atomic(sequence)
      text = .allocate(capacity: textSize)
    }
    deinit { text.deallocate() }
  }

  /// LV2's log feature, which plugins call.
  let feature: UnsafeMutablePointer<LV2_Log_Log>
  private let sink: UnsafeMutablePointer<swiftlet_log_sink>
  private let slots: UnsafeMutablePointer<Slot>
  private let next = Atomic<Int>(0)
  private let lost = Atomic<Int>(0)
  private let reporter: Reporter
  private let reports: UnsafeMutablePointer<Reporter.Slot>
  private let lock = ControlLock()
  private var read = 0
  private let levels: (error: UInt32, warning: UInt32, trace: UInt32)

  init(_ reporter: Reporter) {
    (self.reporter, reports) = (reporter, reporter.slot)
    let map = URIDMap.shared
    levels = (map.number(of: Name.logError), map.number(of: Name.logWarning), map.number(of: Name.logTrace))
    slots = .allocate(capacity: capacity)
    for index in 0..<capacity { (slots + index).initialize(to: Slot(sequence: index)) }
    sink = .allocate(capacity: 1)
    feature = .allocate(capacity: 1)
    sink.initialize(
      to: swiftlet_log_sink(write: writeMessage, context: Unmanaged.passUnretained(self).toOpaque()))
    feature.initialize(to: swiftlet_log(sink))
  }

  /// Creates a log that prints its messages to standard error, in the order in which they are written.
  convenience init(printingTo reporter: Reporter) {
    self.init(reporter)
    sink.pointee.write = { _, _, text in
      guard let text else { return }
      let length = rt_length(text, textSize)
      // At most what a pipe accepts atomically.
      let line = UnsafeMutableRawPointer.allocate(byteCount: length + 1, alignment: 1)
      defer { line.deallocate() }
      rt_copy_bytes(line, text, length)
      line.storeBytes(of: 10, toByteOffset: length, as: UInt8.self)
      _ = Glibc.write(2, line, length + 1)
    }
  }

  deinit {
    slots.deinitialize(count: capacity)
    slots.deallocate()
    sink.deallocate()
    feature.deallocate()
  }

  /// Adds a message. Any thread.
  @_noLocks @_noAllocation func write(_ type: UInt32, _ text: UnsafePointer<CChar>) {
    var number = next.load(ordering: .relaxed)
    while true {
      let slot = slots + number % capacity
      let ahead = slot.pointee.sequence.load(ordering: .acquiring) - number
      if ahead < 0 {
        lost.add(1, ordering: .relaxed)
        reportMatter(.words, at: reports)
        return
      }
      if ahead == 0 {
        let (won, seen) = next.compareExchange(expected: number, desired: number + 1, ordering: .relaxed)
        if won {
          slot.pointee.type = type
          slot.pointee.length = rt_length(text, textSize)
          rt_copy_bytes(slot.pointee.text, text, slot.pointee.length)
          slot.pointee.sequence.store(number + 1, ordering: .releasing)
          reportMatter(.words, at: reports)
          return
        }
        number = seen
      } else {
        number = next.load(ordering: .relaxed)
      }
    }
  }

  /// Returns the messages since the last call, oldest first. Control thread.
  func take() -> [PluginMessage] {
    lock.locked {
      var messages: [PluginMessage] = []
      while true {
        let slot = slots + read % capacity
        guard slot.pointee.sequence.load(ordering: .acquiring) == read + 1 else { break }
        let bytes = UnsafeRawBufferPointer(start: slot.pointee.text, count: slot.pointee.length)
        let text = String(decoding: bytes, as: UTF8.self)
        messages.append(PluginMessage(level: level(slot.pointee.type), text: text.trimmed))
        slot.pointee.sequence.store(read + capacity, ordering: .releasing)
        read += 1
      }
      let count = lost.exchange(0, ordering: .relaxed)
      if count > 0 {
        messages.append(PluginMessage(level: .warning, text: "\(count) messages were lost: too many at once"))
      }
      return messages
    }
  }

  private func level(_ type: UInt32) -> PluginMessage.Level {
    if type == levels.error { return .error }
    if type == levels.warning { return .warning }
    return type == levels.trace ? .trace : .note
  }
}

/// Plugins also call this from `run`, so the real-time sanitizer is enabled again for this code.
private func writeMessage(_ context: UnsafeMutableRawPointer?, _ type: UInt32, _ text: UnsafePointer<CChar>?)
{
  guard let context, let text else { return }
  rt_third_party_exit()
  defer { rt_third_party_enter() }
  Unmanaged<PluginLog>.fromOpaque(context)._withUnsafeGuaranteedRef { $0.write(type, text) }
}

extension String {
  /// The string without leading and trailing white space.
  fileprivate var trimmed: String {
    var text = Substring(self)
    while let last = text.last, last.isWhitespace { text.removeLast() }
    return String(text.trimmingPrefix(while: \.isWhitespace))
  }
}
