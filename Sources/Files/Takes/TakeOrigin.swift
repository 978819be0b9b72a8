// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import CSwiftletSndFile
package import Foundation

/// The origin of a recording, as stored in a Broadcast WAV file.
package struct TakeOrigin: Sendable, Equatable {
  /// The description, such as `vocal: dry`; up to 255 bytes of UTF-8.
  package var description: String
  /// The date and time of the first frame.
  package var date: Date
  /// The time reference: frames since midnight of that day. If nil, the default, it is computed from the date.
  package var timeReference: Int?

  /// Creates the origin of a recording whose first frame was heard at `date`.
  package init(_ description: String, date: Date, timeReference: Int? = nil) {
    self.description = description
    self.date = date
    self.timeReference = timeReference
  }

  /// The name of the recording program in files.
  static let originator = "Swiftlet"

  /// Returns the calendar components of a date in the machine's time zone.
  static func parts(of date: Date) -> DateComponents {
    Calendar(identifier: .gregorian)
      .dateComponents([.year, .month, .day, .hour, .minute, .second, .nanosecond], from: date)
  }

  /// Returns `2026-01-31` and `23:59:58`, with `separator` between hours, minutes and seconds.
  static func texts(of date: Date, separator: String = ":") -> (date: String, time: String) {
    let parts = parts(of: date)
    func two(_ value: Int?) -> String { String(format: "%02d", value ?? 0) }
    return (
      String(format: "%04d", parts.year ?? 0) + "-" + two(parts.month) + "-" + two(parts.day),
      [two(parts.hour), two(parts.minute), two(parts.second)].joined(separator: separator)
    )
  }

  /// Returns the time reference: frames from midnight to the date.
  func reference(sampleRate: Int) -> UInt64 {
    if let timeReference { return UInt64(max(timeReference, 0)) }
    let parts = TakeOrigin.parts(of: date)
    let seconds = (parts.hour ?? 0) * 3600 + (parts.minute ?? 0) * 60 + (parts.second ?? 0)
    let fraction = Double(parts.nanosecond ?? 0) * 1e-9
    return UInt64(max(0, (Double(seconds) + fraction) * Double(sampleRate)))
  }

  /// Returns the `bext` chunk as specified in EBU Tech 3285.
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
    // libsndfile always writes version 2, in which a loudness of 0 is a valid value. 0x7FFF means that no loudness is
    // given.
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
