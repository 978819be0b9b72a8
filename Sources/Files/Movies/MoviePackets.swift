// SPDX-FileCopyrightText: 2026 The Swiftlet authors
// SPDX-License-Identifier: ISC

internal import Foundation

/// The pictures of a movie as they are stored, some seconds around a time: that is where it may be cut.
struct MoviePackets {
  /// A picture, as it is stored.
  struct Packet {
    /// When it is shown, by the movie's own clock, in seconds.
    var time: Double
    /// When it has to be decoded; nil where that is not told.
    var decoding: Double?
    /// Whether it can be decoded without others.
    var isKey: Bool
    /// Whether it is decoded for others' sake alone: the movie was cut without being encoded anew, and its edit list
    /// leaves the picture out.
    var isHidden = false
  }

  /// In the order in which they are stored.
  private let list: [Packet]

  /// How far around the time is looked, in seconds.
  private static let reach = 15.0

  /// Reads where the pictures around a time are, by the movie's own clock.
  ///
  /// - Throws: ``FileError``: `ffprobe` cannot be started.
  init(_ path: String, _ format: String, _ base: FrameRate, around time: Double) throws(FileError) {
    // From the very first where that is near: ffprobe would not show what an edit list hides before a time it goes to.
    let first = time - MoviePackets.reach
    let span = "\(first > 0 ? "\(first)" : "")%\(time + MoviePackets.reach)"
    let (text, _) = try FFmpeg.output(
      of: "ffprobe",
      [
        "-protocol_whitelist", "file", "-f", format, "-select_streams", "V:0", "-read_intervals", span,
        "-show_entries", "packet=pts,dts,flags", "-of", "csv=p=0", "-i", FFmpeg.name(path),
      ], for: path, most: 1 << 22)
    self.init(text, base)
  }

  /// Reads what `ffprobe` printed: a line for each picture, with its times in ticks of `base`.
  init(_ text: some Collection<UInt8>, _ base: FrameRate) {
    list = String(decoding: text, as: UTF8.self).split(whereSeparator: \.isNewline).compactMap { line in
      // `51200,50176,K_`; times may be N/A.
      let fields = line.split(separator: ",")
      guard fields.count >= 3, let time = Int(fields[0]) else { return nil }
      return Packet(
        time: Double(time) * base.perSecond, decoding: Int(fields[1]).map { Double($0) * base.perSecond },
        isKey: fields[2].hasPrefix("K"), isHidden: fields[2].contains("D"))
    }
  }

  init(_ list: [Packet]) { self.list = list }

  /// Whether some are stored that nobody is to see.
  var hidesSome: Bool { list.contains(where: \.isHidden) }

  /// The one that is shown last.
  var last: Packet? { list.max { $0.time < $1.time } }

  /// The keyframe at a time, within a tolerance; nil where there is none, or one that pictures before it lean on.
  func keyframe(at time: Double, within tolerance: Double) -> Packet? {
    guard let place = list.firstIndex(where: { $0.isKey && abs($0.time - time) <= tolerance }) else {
      return nil
    }
    let key = list[place]
    return list[place...].contains { $0.time < key.time } ? nil : key
  }

  /// The first picture that is left out where a movie is cut before all that are shown from a time on; nil where
  /// pictures before that need some behind it.
  func cut(before time: Double) -> Packet? {
    guard let place = list.firstIndex(where: { $0.time >= time }),
      !list[place...].contains(where: { $0.time < time })
    else { return nil }
    return list[place]
  }

  /// Whether a keyframe is at a time, be it one that pictures before it lean on.
  func hasKeyframe(at time: Double, within tolerance: Double) -> Bool {
    list.contains { $0.isKey && abs($0.time - time) <= tolerance }
  }

  /// The keyframes before and after a time at which one can cut, by the movie's own clock.
  func neighbours(of time: Double) -> [Double] {
    var earliest = Double.infinity, keys: [Double] = []
    for packet in list.reversed() {
      if packet.isKey && packet.time <= earliest { keys.append(packet.time) }
      earliest = min(earliest, packet.time)
    }
    return [keys.filter { $0 <= time }.max(), keys.filter { $0 > time }.min()].compactMap(\.self)
  }
}
