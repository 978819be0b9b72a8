// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import CSwiftletSndFile
package import Foundation

/// Where and when a recording was made: what a Broadcast WAV says of itself.
package struct TakeOrigin: Sendable, Equatable {
  /// What it is, such as `vocal: dry`; up to 255 characters.
  package var description: String
  /// The instant of its first frame.
  package var date: Date
  /// What the time reference is counted from: frames since midnight of that
  /// day. Nil computes it from the date.
  package var timeReference: Int?

  /// The origin of a recording whose first frame came at `date`.
  package init(_ description: String, date: Date, timeReference: Int? = nil) {
    self.description = description
    self.date = date
    self.timeReference = timeReference
  }

  /// The program that makes recordings, as files name it.
  static let originator = "Swiftlet"

  /// The day, hour, minute and second of the date in the zone of this machine.
  static func parts(of date: Date) -> DateComponents {
    Calendar(identifier: .gregorian)
      .dateComponents([.year, .month, .day, .hour, .minute, .second, .nanosecond], from: date)
  }

  /// `2026-01-31` and `23:59:58`, with the separator of choice between hours, minutes and seconds.
  static func texts(of date: Date, separator: String = ":") -> (date: String, time: String) {
    let parts = parts(of: date)
    func two(_ value: Int?) -> String { String(format: "%02d", value ?? 0) }
    return (
      String(format: "%04d", parts.year ?? 0) + "-" + two(parts.month) + "-" + two(parts.day),
      [two(parts.hour), two(parts.minute), two(parts.second)].joined(separator: separator)
    )
  }

  /// Frames from midnight to the date.
  func reference(sampleRate: Int) -> UInt64 {
    if let timeReference { return UInt64(max(timeReference, 0)) }
    let parts = TakeOrigin.parts(of: date)
    let seconds = (parts.hour ?? 0) * 3600 + (parts.minute ?? 0) * 60 + (parts.second ?? 0)
    let fraction = Double(parts.nanosecond ?? 0) * 1e-9
    return UInt64(max(0, (Double(seconds) + fraction) * Double(sampleRate)))
  }

  /// The `bext` chunk of EBU Tech 3285.
  func broadcastInfo(sampleRate: Int) -> SF_BROADCAST_INFO {
    var info = SF_BROADCAST_INFO()
    let texts = TakeOrigin.texts(of: date)
    withUnsafeMutableBytes(of: &info.description) { fill($0, with: description, keepsEnd: true) }
    withUnsafeMutableBytes(of: &info.originator) { fill($0, with: TakeOrigin.originator, keepsEnd: true) }
    withUnsafeMutableBytes(of: &info.origination_date) { fill($0, with: texts.date, keepsEnd: false) }
    withUnsafeMutableBytes(of: &info.origination_time) { fill($0, with: texts.time, keepsEnd: false) }
    let frames = reference(sampleRate: sampleRate)
    info.time_reference_low = UInt32(truncatingIfNeeded: frames)
    info.time_reference_high = UInt32(truncatingIfNeeded: frames >> 32)
    // libsndfile writes version 2, whatever is asked for. There a loudness of 0 is a loudness; this is none.
    info.version = 2
    for field in [
      \SF_BROADCAST_INFO.loudness_value, \.loudness_range, \.max_true_peak_level, \.max_momentary_loudness,
      \.max_shortterm_loudness,
    ] { info[keyPath: field] = 0x7FFF }
    return info
  }

  private func fill(_ field: UnsafeMutableRawBufferPointer, with text: String, keepsEnd: Bool) {
    let bytes = Array(text.utf8.prefix(field.count - (keepsEnd ? 1 : 0)))
    field.copyBytes(from: bytes)
  }
}
