// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import SwiftletFiles

extension Recorder {
  /// A bus that can be recorded.
  struct Track {
    let tap: String
    let meter: Meter
    let file: String
    let format: String?
    let rate: Int?
    let quality: CodingQuality?
    let overwrites: Bool
    /// Whether `start()` leaves it until it is named.
    let isArmed: Bool
    /// Whether the file may not leave the recorder's folder.
    let isConfined: Bool
    /// What the performer hears the others through.
    let output: AudioNode?
    /// The file of the take that runs, or ended by itself; nil where it was stopped.
    var path: String?
    /// How much later than its instant a running take begins in the tap.
    var lateness: Int64 = 0
    /// The instant before which a running take ends by itself.
    var end: Int64?
  }
}
